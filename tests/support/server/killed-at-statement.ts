import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { vi } from 'vitest';
import { projectRoot } from '#platform/project-root.ts';
import type { TestServer } from './server.ts';

const PRELOAD = pathToFileURL(join(projectRoot, 'tests/support/server/hold-statement.ts')).href;

/** The environment of a server that stands still before the nth statement that fits, and before all later ones. */
export const standingStillAt = (fits: RegExp, nth = 1): Record<string, string> => ({
  NODE_OPTIONS: `${process.env.NODE_OPTIONS ?? ''} --import=${PRELOAD}`,
  HOLD_STATEMENT: fits.source,
  HOLD_FROM: String(nth),
});

/** Kills a server, as `kill -9` does, once it stands still there. */
export async function killWhenItStands(server: TestServer): Promise<void> {
  const standsStill = () => {
    if (!server.output().includes('A statement is held back'))
      throw new Error(`It goes on:\n${server.output()}`);
  };
  await vi.waitFor(standsStill, { timeout: 60_000, interval: 5 });
  await server.kill();
}
