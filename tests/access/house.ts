import { createHash, randomUUID } from 'node:crypto';
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { openFileStore } from '#gateways/files/open.ts';
import { sessionCookie } from '#platform/auth/cookie.ts';
import type { UserActor } from '#platform/context.ts';
import { type Database, openDatabase } from '#platform/db/database.ts';
import { type Answer, ask } from '#tests/support/ask.ts';
import { type DatabaseKind, freshDataDir, ownDatabase } from '#tests/support/database.ts';
import { startServer, type TestServer } from '#tests/support/server.ts';
import { type Stage, setStage } from './stage.ts';
import type { ActorName } from './table.ts';

export const SECRET = 'the secret of a house that only tests live in';
/** A stored file that only a signed link may open. */
export const PRIVATE_FILE = 'documents/paper.pdf';

/** A request as a browser or a stranger sends it. */
export interface Call {
  method?: string;
  headers?: Record<string, string>;
  body?: string | Buffer;
  /** the signed-in person; a session of its own for each call */
  as?: ActorName;
}

/** The built server on an embedded database of its own, with the cast of the matrix in it. */
export interface House {
  server: TestServer;
  stage: Stage;
  db: Database;
  call(path: string, call?: Call): Promise<Answer>;
  /** the Cookie header of a new session */
  cookieOf(person: UserActor): Promise<string>;
  close(): Promise<void>;
}

let visitors = 0;

/** Starts the house as it runs in production, unless the environment says otherwise; on PostgreSQL a database of its own. */
export async function openHouse(
  environment: Record<string, string> = {},
  kind: DatabaseKind = 'embedded',
): Promise<House> {
  const dataDir = await freshDataDir();
  const own = kind === 'server' ? await ownDatabase() : null;
  const server = await startServer({
    DATA_DIR: dataDir,
    APP_SECRET: SECRET,
    ACRE_UNDECLARED: 'off',
    DEMO: 'off',
    // Each visitor has an address of its own, so that limits by address stay out of the way.
    TRUST_PROXY: 'on',
    ...(own && { DATABASE_URL: own.url }),
    ...environment,
  });
  const db = await openDatabase(own ? { url: own.url, dataDir: null } : { dataDir, mayShare: true });
  const stage = await setStage(db);
  const body = Buffer.from('%PDF-1.4 for signed eyes\n');
  await openFileStore({ filesUrl: undefined, folder: join(dataDir, 'files'), secret: SECRET }).put({
    key: PRIVATE_FILE,
    body,
    contentType: 'application/pdf',
    sha256: createHash('sha256').update(body).digest('hex'),
  });
  const config = { publicUrl: server.url, secret: SECRET };
  const cookieOf = async (person: UserActor) => {
    const token = randomUUID();
    const expires_at = new Date(Date.now() + 29.5 * 86_400_000);
    await db.q().insertInto('sessions').values({ user_id: person.id, token, expires_at }).execute();
    return sessionCookie(config, token).split(';')[0] ?? '';
  };
  const port = Number(new URL(server.url).port);
  return {
    server,
    stage,
    db,
    cookieOf,
    async call(path, { method, headers, body, as = 'anonymous' } = {}) {
      visitors += 1;
      const cookie: Record<string, string> =
        as === 'anonymous' ? {} : { cookie: await cookieOf(stage.person(as)) };
      const address = `10.${(visitors >> 16) & 255}.${(visitors >> 8) & 255}.${visitors & 255}`;
      const host = new URL(server.url).host;
      return ask(port, path, {
        method,
        body,
        headers: { host, 'x-forwarded-for': address, ...cookie, ...headers },
      });
    },
    async close() {
      await db.close();
      const code = await server.stop();
      await own?.drop();
      rmSync(dataDir, { recursive: true, force: true });
      if (code !== 0) throw new Error(`The server ended with ${code}:\n${server.output()}`);
    },
  };
}

/** What a browser adds to a form of one of our pages. */
export const fromOurPage = (body: Record<string, string>) => ({
  method: 'POST',
  headers: {
    'sec-fetch-site': 'same-origin',
    'content-type': 'application/x-www-form-urlencoded',
  },
  body: new URLSearchParams(body).toString(),
});
