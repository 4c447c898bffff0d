import { existsSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { readConfig } from '#platform/config.ts';
import { projectRoot } from '#platform/project-root.ts';
import { parseDockerfile } from './dockerfile.ts';

const text = (file: string) => readFileSync(join(projectRoot, file), 'utf8');

it('reads instructions, joined over lines, with build arguments filled in', () => {
  const file = `# a comment
ARG BASE=one
FROM \${BASE} AS first
RUN make \\
  all
COPY a b/ target/

FROM one
COPY --from=first /x /y
ENV A=1 B=two=2
CMD ["node", "a b"]
EXPOSE 80`;
  expect(parseDockerfile(file, { BASE: 'two' })).toEqual([
    { kind: 'from', image: 'two', name: 'first' },
    { kind: 'run', command: 'make all' },
    { kind: 'copy', from: null, sources: ['a', 'b/'], target: 'target/' },
    { kind: 'from', image: 'one', name: null },
    { kind: 'copy', from: 'first', sources: ['/x'], target: '/y' },
    { kind: 'env', variables: { A: '1', B: 'two=2' } },
    { kind: 'cmd', words: ['node', 'a b'] },
    { kind: 'note', text: 'EXPOSE 80' },
  ]);
});

it.each(['ADD a b', 'COPY --chown=node a b', 'RUN --mount=type=cache x', `FROM \${NONE}`, 'CMD node x'])(
  'refuses what it would leave out: %s',
  (line) => expect(() => parseDockerfile(line)).toThrow(line),
);

it.each(['Dockerfile', 'deploy/pgbouncer.Dockerfile'])('what %s copies is there, and is copied', (file) => {
  const ignored = text('.dockerignore').split('\n');
  const sources = parseDockerfile(text(file)).flatMap((step) =>
    step.kind === 'copy' && step.from === null ? step.sources : [],
  );
  expect(sources.length).toBeGreaterThan(0);
  for (const source of sources) {
    expect(existsSync(join(projectRoot, source))).toBe(true);
    expect(ignored).not.toContain(source);
  }
});

it('the processes of compose.yaml get variables which the configuration takes', () => {
  const block = /^ {2}environment:\n((?: {4}\w+: .*\n)+)/m.exec(text('compose.yaml'))?.[1] ?? '';
  const password = 'secret';
  const variables = Object.fromEntries(
    [...block.matchAll(/^ +(\w+): "?(.*?)"?$/gm)].map(([, name = '', value = '']) => [
      name,
      value
        .replace(/\$\{POSTGRES_PASSWORD:\?\}/, password)
        .replace(/\$\{APP_SECRET:\?[^}]*\}/, 'x'.repeat(32))
        .replace(/\$\{\w+:-([^}]*)\}/, '$1'),
    ]),
  );
  expect(Object.values(variables).join(' ')).not.toMatch(/\$\{/);
  const image = { NODE_ENV: 'production', HOST: '0.0.0.0', DATA_DIR: join(tmpdir(), 'unused') };
  expect(readConfig({ ...image, ...variables })).toMatchObject({
    publicUrl: 'http://localhost:8080',
    databaseUrl: 'postgres://market:secret@pgbouncer:6432/market',
    databaseDirectUrl: 'postgres://market:secret@db:5432/market',
    behindProxy: true,
    demo: false,
  });
});
