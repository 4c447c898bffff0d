import { parseArgs } from 'node:util';
import { changeSetting } from '#features/settings/commands/change-setting.ts';
import { settingDefaults } from '#features/settings/model.ts';
import { runCommand, withOperatorContext } from './operator-command.ts';

// `npm run setting -- NAME VALUE`: changes a setting; the value is JSON.
await runCommand(async () => {
  const { positionals } = parseArgs({ allowPositionals: true });
  const [name, text] = positionals;
  if (!name || text === undefined || positionals.length > 2) {
    console.error('Usage: npm run setting -- NAME VALUE');
    for (const [known, value] of Object.entries(settingDefaults))
      console.error(`  ${known}, by default ${JSON.stringify(value)}`);
    return 1;
  }
  const value = readJson(text);
  if (value === undefined) {
    console.error(`This is no JSON: ${text}`);
    return 1;
  }
  return withOperatorContext('setting', async (ctx) => {
    const result = await changeSetting(ctx, { name, value });
    if (result.ok) {
      console.log(`${name} is ${JSON.stringify(value)} now.`);
      return 0;
    }
    console.error(
      result.reason === 'invalid'
        ? `Not accepted: ${result.errors.join('; ')}`
        : `There is no setting ${name}.`,
    );
    return 1;
  });
});

function readJson(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}
