import { readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { projectRoot } from '#platform/project-root.ts';

/** The Solidity compiler, as far as it is used; it has no types. */
interface Compiler {
  compile(input: string, callbacks: { import(path: string): { contents: string } }): string;
}

interface Output {
  errors?: { severity: string; formattedMessage: string }[];
  contracts: Record<
    string,
    Record<string, { abi: { type: string; name?: string }[]; evm: { bytecode: { object: string } } }>
  >;
}

/** Where the compiled contract is kept. */
export const artefactFile = join(projectRoot, 'gateways/chain/acre-registry.gen.ts');

/**
 * Compiles contracts/AcreRegistry.sol. The result depends on the source, the compiler and OpenZeppelin's contracts alone, whose versions
 * are fixed, so anyone gets the same bytes.
 * @returns the text of the artefact
 * @throws Error with the compiler's words, for warnings too
 */
export function compileContract(): string {
  const compiler = createRequire(import.meta.url)('solc') as Compiler;
  const name = 'contracts/AcreRegistry.sol';
  const input = {
    language: 'Solidity',
    sources: { [name]: { content: readFileSync(join(projectRoot, name), 'utf8') } },
    settings: {
      evmVersion: 'cancun',
      optimizer: { enabled: true, runs: 200 },
      outputSelection: { '*': { '*': ['abi', 'evm.bytecode.object'] } },
    },
  };
  const read = (path: string) => ({
    contents: readFileSync(join(projectRoot, 'node_modules', path), 'utf8'),
  });
  const output = JSON.parse(compiler.compile(JSON.stringify(input), { import: read })) as Output;
  if (output.errors?.length)
    throw new Error(output.errors.map(({ formattedMessage }) => formattedMessage).join('\n'));
  const contract = output.contracts[name]?.AcreRegistry;
  if (!contract) throw new Error('The compiler made no contract');
  const entries = contract.abi.map((entry) => `  ${JSON.stringify(entry)},`);
  return [
    '// Made by scripts/compile-contract.ts from contracts/AcreRegistry.sol; a test compares them.',
    'export const acreRegistryAbi = [',
    ...entries,
    '] as const;',
    '',
    `export const acreRegistryBytecode = '0x${contract.evm.bytecode.object}';`,
    '',
  ].join('\n');
}

if (process.argv[1] && import.meta.url === pathToFileURL(process.argv[1]).href)
  writeFileSync(artefactFile, compileContract());
