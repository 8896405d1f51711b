const REGION = /<!-- begin (?<name>[a-z]+), by \.\/dev docs -->\n[^]*?<!-- end \k<name> -->/g;

export function fillRegions(text: string, regions: Readonly<Record<string, () => string>>): string {
  return text.replaceAll(REGION, (_, name: string) => {
    const render = regions[name];
    if (render === undefined) throw new RangeError(`no region is called ${name}`);
    return `<!-- begin ${name}, by ./dev docs -->\n\n${render()}\n\n<!-- end ${name} -->`;
  });
}
