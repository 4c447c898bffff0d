import { createHash } from 'node:crypto';
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { openFileStore } from '#gateways/files/open.ts';
import type { UserActor } from '#platform/context.ts';
import { type Database, openDatabase } from '#platform/db/database.ts';
import { cloneTemplate, type DatabaseKind, freshDataDir } from '#tests/support/database/test-database.ts';
import { type HttpResponse, sendRequest } from '#tests/support/server/http-request.ts';
import { startServer, type TestServer } from '#tests/support/server/server.ts';
import { startSession } from '#tests/support/server/session-cookie.ts';
import type { ActorName } from './access-table.ts';
import { createScenario, type Scenario } from './scenario.ts';

export const SECRET = 'a secret for tests only, long enough for its check';
/** A stored file that only a signed link gives access to. */
export const PRIVATE_FILE = 'documents/paper.pdf';

/** A request as sent by a browser or an attacker. */
export interface AppRequest {
  method?: string;
  headers?: Record<string, string>;
  body?: string | Buffer;
  /** the signed-in user; each call gets a session of its own */
  as?: ActorName;
}

/** The built server on its own database, populated with the users of the access matrix. */
export interface TestApp {
  server: TestServer;
  scenario: Scenario;
  db: Database;
  call(path: string, call?: AppRequest): Promise<HttpResponse>;
  /** the Cookie header of a new session */
  cookieOf(person: UserActor): Promise<string>;
  close(): Promise<void>;
}

let requestCount = 0;

/**
 * Starts the server as in production unless `environment` overrides it; with kind 'server' on its own PostgreSQL database.
 * @param folder where `build/` is, if not in the project
 */
export async function startTestApp(
  environment: Record<string, string> = {},
  kind: DatabaseKind = 'embedded',
  folder?: string,
): Promise<TestApp> {
  const dataDir = await freshDataDir();
  const ownServerDatabase = kind === 'server' ? await cloneTemplate() : null;
  const server = await startServer(
    {
      DATA_DIR: dataDir,
      APP_SECRET: SECRET,
      ACRE_UNDECLARED: 'off',
      DEMO: 'off',
      // Each request comes from its own IP address, so that limits per address do not interfere.
      TRUST_PROXY: 'on',
      ...(ownServerDatabase && { DATABASE_URL: ownServerDatabase.url }),
      ...environment,
    },
    folder,
  );
  const db = await openDatabase(
    ownServerDatabase ? { url: ownServerDatabase.url, dataDir: null } : { dataDir, mayShare: true },
  );
  const scenario = await createScenario(db);
  const body = Buffer.from('%PDF-1.4 for signed eyes\n');
  await openFileStore({ filesUrl: undefined, folder: join(dataDir, 'files'), secret: SECRET }).put({
    key: PRIVATE_FILE,
    body,
    contentType: 'application/pdf',
    sha256: createHash('sha256').update(body).digest('hex'),
  });
  const config = { publicUrl: server.url, secret: SECRET };
  const cookieOf = (person: UserActor) => startSession(db, config, person.id);
  const port = Number(new URL(server.url).port);
  return {
    server,
    scenario,
    db,
    cookieOf,
    async call(path, { method, headers, body, as = 'anonymous' } = {}) {
      requestCount += 1;
      const cookie: Record<string, string> =
        as === 'anonymous' ? {} : { cookie: await cookieOf(scenario.person(as)) };
      const address = `10.${(requestCount >> 16) & 255}.${(requestCount >> 8) & 255}.${requestCount & 255}`;
      const host = new URL(server.url).host;
      return sendRequest(port, path, {
        method,
        body,
        headers: { host, 'x-forwarded-for': address, ...cookie, ...headers },
      });
    },
    async close() {
      await db.close();
      const code = await server.stop();
      await ownServerDatabase?.drop();
      rmSync(dataDir, { recursive: true, force: true });
      if (code !== 0) throw new Error(`The server ended with ${code}:\n${server.output()}`);
    },
  };
}

/** JSON as a script of ours posts it. */
export const asJson = (body: unknown): AppRequest => ({
  method: 'POST',
  headers: { 'sec-fetch-site': 'same-origin', 'content-type': 'application/json' },
  body: typeof body === 'string' ? body : JSON.stringify(body),
});

/** A form post with the headers a browser sends from one of our own pages. */
export const sameOriginForm = (body: Record<string, string>, { json = false } = {}) => ({
  method: 'POST',
  headers: {
    'sec-fetch-site': 'same-origin',
    'content-type': 'application/x-www-form-urlencoded',
    ...(json && { accept: 'application/json' }),
  },
  body: new URLSearchParams(body).toString(),
});
