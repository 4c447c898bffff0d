import { createContext, type RouterContextProvider } from 'react-router';
import type { Services } from '#app/server/services.ts';
import type { Ctx } from '#platform/context.ts';

/** What the server knows of one request, made once before any route runs. */
export interface RequestScope {
  ctx: Ctx;
  services: Services;
  sessionId: string | null;
  nonce: string;
  /** the finished page, when it leaves as one piece: the answer that passes through the router has no body then */
  page?: Buffer<ArrayBuffer>;
}

export const requestScope = createContext<RequestScope>();

type Scoped = Readonly<RouterContextProvider>;

export const getScope = (context: Scoped): RequestScope => context.get(requestScope);
/** The first argument of every read and command of this request. */
export const getCtx = (context: Scoped): Ctx => context.get(requestScope).ctx;
