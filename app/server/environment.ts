import type { Ctx } from '#platform/context.ts';
import type { Services } from './services.ts';

/** What the middlewares put on every request before a handler sees it. */
export interface WebEnv {
  Variables: {
    ctx: Ctx;
    services: Services;
    sessionId: string | null;
    secureHeadersNonce?: string;
  };
}
