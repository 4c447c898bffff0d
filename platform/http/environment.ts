import type { HttpBindings } from '@hono/node-server';
import type { Log } from '../log.ts';

/** What the middlewares of this folder put on a request. */
export interface HttpVariables {
  requestId: string;
  /** the person's address, or null where it cannot be told */
  ip: string | null;
  /** carries the request id */
  log: Log;
  /** pattern of the route, for metrics; set by whoever knows it */
  route?: string;
  /** the nonce that inline scripts of this answer must carry */
  secureHeadersNonce?: string;
}

export interface HttpEnv {
  Bindings: Partial<HttpBindings>;
  Variables: HttpVariables;
}
