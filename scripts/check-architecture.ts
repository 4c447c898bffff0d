import { join } from 'node:path';
import { projectRoot } from '../platform/project-root.ts';
import { checkBundle } from './check/bundle.ts';
import { checkSources } from './check/rules.ts';
import { readSources } from './check/sources.ts';

// Run by `npm run check`: project rules that neither the compiler nor the linter knows.
const sources = readSources(projectRoot);
const findings = [...checkSources(sources), ...checkBundle(join(projectRoot, 'build/client'))];
for (const { file, line, message } of findings) console.error(`${file}${line ? `:${line}` : ''} ${message}`);
console.log(`Architecture: ${sources.length} files, ${findings.length || 'no'} findings`);
process.exitCode = findings.length ? 1 : 0;
