import { post } from './post.ts';

/** What a request was answered; `body` is null when it is no JSON. */
export interface Posted<Body> {
  ok: boolean;
  status: number;
  statusText: string;
  body: Body | null;
}

/** Like `post`, with the JSON of the answer; null when the server was not reached. */
export async function postAndRead<Body>(
  url: string,
  sent: BodyInit,
  init?: RequestInit,
): Promise<Posted<Body> | null> {
  const response = await post(url, sent, init);
  if (!response) return null;
  const { ok, status, statusText } = response;
  return { ok, status, statusText, body: await response.json().catch(() => null) };
}

const headers = { accept: 'application/json', 'content-type': 'application/json' };

/** Posts JSON to an endpoint under /api; null when the server was not reached. */
export const postJson = <Body>(url: string, value: unknown) =>
  postAndRead<Body>(url, JSON.stringify(value), { headers });
