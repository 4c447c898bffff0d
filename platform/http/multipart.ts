import { BadRequest } from '../errors.ts';

/** A file of a form, read as it arrives; `body` must be read to the end or cancelled. */
interface FormFile {
  /** as the browser names it */
  name: string;
  body: ReadableStream<Uint8Array>;
}

const MAX_HEAD_BYTES = 8 * 1024;
/** Of everything before the file. */
const MAX_BEFORE_BYTES = 64 * 1024;
const CRLF = Buffer.from('\r\n');
const HEAD_END = Buffer.from('\r\n\r\n');

/**
 * The file of a multipart form that a field carries, without keeping it in memory as `Request.formData` does. Fields before it are skipped, what
 * comes after it is read and discarded.
 * @returns null when the form has no such file
 * @throws BadRequest when the body is no such form
 */
export async function formFile(
  { headers, body }: Pick<Request, 'headers' | 'body'>,
  field: string,
): Promise<FormFile | null> {
  const boundary = boundaryOf(headers.get('content-type') ?? '');
  if (boundary === null || !body) throw new BadRequest('This is not a form');
  const source = new Source(body.getReader());
  // The first delimiter may stand at the very beginning, without a line end before it.
  source.unread(CRLF);
  const delimiter = Buffer.from(`\r\n--${boundary}`);
  let skipped = 0;
  for await (const piece of source.until(delimiter)) skipped = within(skipped + piece.length);
  for (;;) {
    const head = await source.head();
    if (head === null) return null;
    const { name, file } = namesOf(head);
    if (name === field && file !== null) return { name: file, body: contentOf(source, delimiter) };
    for await (const piece of source.until(delimiter)) skipped = within(skipped + piece.length);
  }
}

function within(bytes: number): number {
  if (bytes > MAX_BEFORE_BYTES) throw new BadRequest('The form has too much before its file');
  return bytes;
}

function boundaryOf(contentType: string): string | null {
  if (!/^multipart\/form-data\s*;/i.test(contentType)) return null;
  const [, quoted, plain] = /;\s*boundary=(?:"([^"]{1,70})"|([^\s;"]{1,70}))/i.exec(contentType) ?? [];
  return quoted ?? plain ?? null;
}

/** Browsers escape line ends and quotation marks in names, and nothing else. */
function namesOf(head: string): { name: string | null; file: string | null } {
  const line = /^content-disposition:(.*)$/im.exec(head)?.[1] ?? '';
  const of = (key: string) => {
    const text = new RegExp(`;\\s*${key}="([^"]*)"`, 'i').exec(line)?.[1];
    return text === undefined
      ? null
      : text.replace(/%(0D|0A|22)/gi, (_, code: string) => String.fromCharCode(Number.parseInt(code, 16)));
  };
  return { name: of('name'), file: of('filename') };
}

function contentOf(source: Source, delimiter: Buffer): ReadableStream<Uint8Array> {
  const pieces = source.until(delimiter);
  return new ReadableStream<Uint8Array>({
    async pull(controller) {
      try {
        const { done, value } = await pieces.next();
        if (!done) return controller.enqueue(value);
        // A browser that gets an answer before it has sent everything may report a broken connection.
        await source.discard(MAX_BEFORE_BYTES);
        controller.close();
      } catch (error) {
        controller.error(error);
      }
    },
    cancel: (reason) => source.cancel(reason),
  });
}

/** Bytes as they arrive, read up to what separates them. */
class Source {
  readonly #reader: ReadableStreamDefaultReader<Uint8Array>;
  #held: Buffer = Buffer.alloc(0);

  constructor(reader: ReadableStreamDefaultReader<Uint8Array>) {
    this.#reader = reader;
  }

  unread(bytes: Buffer): void {
    this.#held = Buffer.concat([bytes, this.#held]);
  }

  async #more(): Promise<void> {
    const { done, value } = await this.#reader.read();
    if (done) throw new BadRequest('The form breaks off');
    this.#held = this.#held.length === 0 ? Buffer.from(value) : Buffer.concat([this.#held, value]);
  }

  /** Everything before the delimiter, which is taken too. */
  async *until(delimiter: Buffer): AsyncGenerator<Uint8Array, void> {
    for (;;) {
      const at = this.#held.indexOf(delimiter);
      const end = at < 0 ? this.#held.length - delimiter.length + 1 : at;
      if (end > 0) {
        const piece = this.#held.subarray(0, end);
        this.#held = this.#held.subarray(end);
        yield piece;
      }
      if (at >= 0) {
        this.#held = this.#held.subarray(delimiter.length);
        return;
      }
      await this.#more();
    }
  }

  /** The head of the next part; null after the last one. */
  async head(): Promise<string | null> {
    for (;;) {
      if (this.#held.subarray(0, 2).toString('latin1') === '--') return null;
      const at = this.#held.indexOf(HEAD_END);
      if (at >= 0) {
        const head = this.#held.subarray(0, at).toString('utf8');
        this.#held = this.#held.subarray(at + HEAD_END.length);
        return head;
      }
      if (this.#held.length > MAX_HEAD_BYTES) throw new BadRequest('This is not a form');
      await this.#more();
    }
  }

  async discard(most: number): Promise<void> {
    for (let left = most - this.#held.length; left > 0; ) {
      const { done, value } = await this.#reader.read();
      if (done) return;
      left -= value.length;
    }
  }

  cancel = (reason: unknown): Promise<void> => this.#reader.cancel(reason);
}
