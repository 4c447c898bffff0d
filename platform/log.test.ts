import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { expect, it } from 'vitest';
import { projectRoot } from './project-root.ts';

/** What a process of its own writes to its standard output when it logs these facts with these words. */
async function written(...calls: [facts: object, words: string][]): Promise<string[]> {
  const code = `
    import { createLog } from '#platform/log.ts';
    const log = createLog('info');
    for (const [facts, words] of ${JSON.stringify(calls)}) log.info(facts, words);`;
  const { stdout } = await promisify(execFile)(process.execPath, ['--input-type=module', '-e', code], {
    cwd: projectRoot,
  });
  return stdout.trim().split('\n');
}

it('strikes out passwords, tokens, cookies and email addresses, also one level down', async () => {
  const kept = { path: '/buyer/login', status: 422 };
  const secrets = { password: 'hunter2', token: 'tok-hunter2', email: 'hunter2@acre.test' };
  const [line = ''] = await written([
    {
      ...kept,
      ...secrets,
      cookie: 'session=hunter2',
      user: secrets,
      headers: { cookie: 'session=hunter2', authorization: 'Bearer hunter2', accept: 'text/html' },
    },
    'request',
  ]);
  expect(line).not.toContain('hunter2');
  expect(JSON.parse(line)).toMatchObject({ ...kept, headers: { accept: 'text/html' }, msg: 'request' });
});

it('writes one JSON object a line, whatever is in the facts, and takes nothing in them for a format', async () => {
  const hostile = 'a\nb\u2028{"level":60} %s %d %j %o %%';
  const lines = await written([{ name: hostile }, 'request'], [{}, 'request']);
  expect(lines).toHaveLength(2);
  expect(JSON.parse(lines[0] ?? '')).toMatchObject({
    name: hostile,
    level: 30,
    msg: 'request',
    time: expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/),
  });
});
