import type { HttpBindings } from '@hono/node-server';
import type { Log } from '../log.ts';

/** The context variables set by the middleware in this folder. */
export interface HttpVariables {
  requestId: string;
  /** the client's address, or null if unknown */
  ip: string | null;
  /** carries the request id */
  log: Log;
  /** pattern of the matched route, for metrics */
  route?: string;
  /** the nonce for inline scripts in this response */
  secureHeadersNonce?: string;
}

export interface HttpEnv {
  Bindings: Partial<HttpBindings>;
  Variables: HttpVariables;
}
