import { checkProgram } from './check-program.ts';
import { assertSealed } from './namespace.ts';
import { programs } from './programs/index.ts';

assertSealed();
const [name, installed = ''] = process.argv.slice(2);
const program = programs.find((candidate) => candidate.name === name);
if (program === undefined) throw new RangeError(`no program "${name}"`);
process.stdout.write(JSON.stringify(await checkProgram(program, JSON.parse(installed))));
