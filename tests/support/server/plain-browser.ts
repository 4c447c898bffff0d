import { vi } from 'vitest';

/** What a person does with pages in a browser without scripts, signed in. */
export class PlainBrowser {
  readonly #origin: string;
  readonly #cookie: string;

  constructor(origin: string, cookie: string) {
    this.#origin = origin.replace('localhost', '127.0.0.1');
    this.#cookie = cookie;
  }

  #send(path: string, request: RequestInit = {}): Promise<Response> {
    const headers = { 'sec-fetch-site': 'same-origin', cookie: this.#cookie, accept: 'text/html' };
    return fetch(this.#origin + path, { ...request, headers, redirect: 'manual' });
  }

  /** Posts a form; returns the path to which it leads. */
  async submit(path: string, fields: Record<string, string>): Promise<string> {
    return leadsTo(await this.#send(path, { method: 'POST', body: new URLSearchParams(fields) }));
  }

  /** Posts a form with one file; returns the path to which it leads. */
  async sendFile(path: string, { name, content }: { name: string; content: string }): Promise<string> {
    const body = new FormData();
    body.set('file', new Blob([content]), name);
    return leadsTo(await this.#send(path, { method: 'POST', body }));
  }

  /** Reloads a page until its words match; returns them. */
  async readUntil(path: string, words: RegExp): Promise<string> {
    const load = async () => {
      const answer = await this.#send(path);
      const text = wordsOf(await answer.text());
      if (answer.status !== 200 || !words.test(text))
        throw new Error(`${path} has status ${answer.status} and does not say ${words}: ${text}`);
      return text;
    };
    return vi.waitFor(load, { timeout: 60_000, interval: 50 });
  }
}

async function leadsTo(answer: Response): Promise<string> {
  const to = answer.headers.get('location');
  if (answer.status !== 303 || to === null)
    throw new Error(`The form leads nowhere, with status ${answer.status}: ${wordsOf(await answer.text())}`);
  await answer.body?.cancel();
  return to;
}

/** What a page says, without its markup. */
const wordsOf = (html: string): string =>
  html
    .replace(/<(script|style)\b.*?<\/\1>/gs, ' ')
    .replace(/<!--.*?-->/gs, '')
    .replace(/<[^>]*>/g, ' ')
    .replace(/\s+/g, ' ');
