import { join } from 'node:path';
import type { Config } from '#platform/config.ts';
import { createKuboStore } from './kubo.ts';
import { createLocalStore } from './local.ts';
import { createPinataStore } from './pinata.ts';
import type { ContentStore } from './port.ts';

/** The folder of the local store. */
const contentFolder = ({ dataDir }: Pick<Config, 'dataDir'>): string => join(dataDir, 'content');

/** The store that is configured, or null without one: nothing is published then. */
export function openContentStore(config: Pick<Config, 'content' | 'dataDir'>): ContentStore | null {
  const { store, profile, kubo, pinata } = config.content;
  if (store === 'kubo' && kubo) return createKuboStore({ ...kubo, profile });
  if (store === 'pinata' && pinata) return createPinataStore(pinata);
  return store === 'local' ? createLocalStore({ folder: contentFolder(config), profile }) : null;
}
