import { assertSealed } from '../namespace.ts';
import { programs } from '../programs/index.ts';
import { checkContent } from './check-content.ts';

assertSealed();
const [name, installed = '', ...errors] = process.argv.slice(2);
const program = programs.find((candidate) => candidate.name === name);
if (program === undefined) throw new RangeError(`no program "${name}"`);
const report = await checkContent(program, JSON.parse(installed), errors);
process.stdout.write(JSON.stringify(report));
