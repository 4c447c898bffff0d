import { anyone, nobody } from '#platform/access.ts';

/** For timers, provider messages and the operator only. */
export const mayReconcile = nobody;
/** Providers have no account here: their messages are authenticated by signature. */
export const mayReceiveMessages = anyone;
