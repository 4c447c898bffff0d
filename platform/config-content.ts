import { createHash } from 'node:crypto';
import { z } from 'zod';
import { flag, url } from './config-types.ts';
import { InvalidEnvironment } from './invalid-environment.ts';

/** Where public documents are published, and what encrypts all documents at rest. */
export interface ContentConfig {
  store: 'local' | 'kubo' | 'pinata' | 'off';
  /** how a file becomes blocks, which decides its address */
  profile: 'unixfs-v1-2025' | 'kubo-cid-v1' | 'unixfs-v0-2015';
  kubo: { url: string; authorization: string | undefined };
  pinata: { jwt: string; api: string; uploads: string; gateway: string } | undefined;
  /** whether administrators may publish test documents */
  testDocuments: boolean;
}

/** A key of 32 bytes, and the first four bytes of its digest, by which files say which key they need. */
export interface FilesKey {
  id: string;
  bytes: Buffer;
}

const httpAddress = url(['http:', 'https:'], 'expected an address such as https://gateway.example');
const filesKey = z
  .string()
  .regex(/^[0-9a-fA-F]{64}$/, 'expected 64 hexadecimal digits, as `openssl rand -hex 32` prints them');

/** The variables of public content and of encryption. */
export const contentVariables = {
  CONTENT_STORE: z.enum(['local', 'kubo', 'pinata', 'off'], 'expected local, kubo, pinata or off').optional(),
  CONTENT_PROFILE: z
    .enum(
      ['unixfs-v1-2025', 'kubo-cid-v1', 'unixfs-v0-2015'],
      'expected unixfs-v1-2025, kubo-cid-v1 or unixfs-v0-2015',
    )
    .default('unixfs-v1-2025'),
  CONTENT_TEST_DOCUMENTS: flag.optional(),
  KUBO_URL: url(['http:', 'https:'], 'expected an address such as http://127.0.0.1:5001').default(
    'http://127.0.0.1:5001',
  ),
  KUBO_AUTHORIZATION: z
    .string()
    .regex(/^[\x21-\x7e]+(?: [\x21-\x7e]+)*$/, 'expected a header such as Bearer TOKEN')
    .optional(),
  PINATA_JWT: z
    .string()
    .regex(/^[\w-]+\.[\w-]+\.[\w-]+$/, 'expected the JWT of an API key')
    .optional(),
  PINATA_API_BASE: httpAddress.default('https://api.pinata.cloud'),
  PINATA_UPLOADS_BASE: httpAddress.default('https://uploads.pinata.cloud'),
  PINATA_GATEWAY: httpAddress.default('https://gateway.pinata.cloud'),
  FILES_KEY: filesKey.optional(),
  FILES_KEY_PREVIOUS: filesKey.optional(),
};

const environment = z.object(contentVariables);
type ContentEnvironment = z.infer<typeof environment>;

/**
 * The store of public content: that of CONTENT_STORE, by default a folder of this machine except in production, where nothing is
 * published unless a store is chosen.
 * @throws InvalidEnvironment for what does not fit together
 */
export function contentOf(
  env: ContentEnvironment,
  { production, demo }: { production: boolean; demo: boolean },
): ContentConfig {
  const store = env.CONTENT_STORE ?? (demo || !production ? 'local' : 'off');
  const { PINATA_JWT: jwt } = env;
  if (store === 'pinata' && jwt === undefined)
    throw new InvalidEnvironment('PINATA_JWT: required with CONTENT_STORE=pinata');
  if (store !== 'pinata' && jwt !== undefined)
    throw new InvalidEnvironment('CONTENT_STORE: expected pinata with PINATA_JWT');
  const base = (address: string) => address.replace(/\/+$/, '');
  return {
    store,
    profile: env.CONTENT_PROFILE,
    kubo: { url: base(env.KUBO_URL), authorization: env.KUBO_AUTHORIZATION },
    pinata:
      jwt === undefined
        ? undefined
        : {
            jwt,
            api: base(env.PINATA_API_BASE),
            uploads: base(env.PINATA_UPLOADS_BASE),
            gateway: base(env.PINATA_GATEWAY),
          },
    testDocuments: env.CONTENT_TEST_DOCUMENTS ? env.CONTENT_TEST_DOCUMENTS === 'on' : demo || !production,
  };
}

/**
 * The keys of files, that in use first; none when documents are stored as they are.
 * @throws InvalidEnvironment for a previous key without a new one
 */
export function filesKeysOf({ FILES_KEY, FILES_KEY_PREVIOUS }: ContentEnvironment): FilesKey[] {
  if (FILES_KEY_PREVIOUS !== undefined && FILES_KEY === undefined)
    throw new InvalidEnvironment('FILES_KEY: required with FILES_KEY_PREVIOUS');
  return [FILES_KEY, FILES_KEY_PREVIOUS].filter((key) => key !== undefined).map(toFilesKey);
}

/** A key of 64 hexadecimal digits. */
export function toFilesKey(key: string): FilesKey {
  const bytes = Buffer.from(key, 'hex');
  return { bytes, id: createHash('sha256').update('acre files key').update(bytes).digest('hex').slice(0, 8) };
}
