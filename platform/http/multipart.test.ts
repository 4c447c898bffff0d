import { describe, expect, it } from 'vitest';
import { BadRequest } from '../errors.ts';
import { formFile } from './multipart.ts';

/** A form's body in pieces of `size` bytes. */
function bodyOf(bytes: Buffer, size: number): ReadableStream<Uint8Array<ArrayBuffer>> {
  let at = 0;
  return new ReadableStream({
    pull(controller) {
      if (at >= bytes.length) return controller.close();
      controller.enqueue(new Uint8Array(bytes.subarray(at, at + size)));
      at += size;
    },
  });
}

async function encoded(form: FormData): Promise<{ type: string; bytes: Buffer }> {
  const request = new Request('http://acre.test', { method: 'POST', body: form });
  return {
    type: request.headers.get('content-type') ?? '',
    bytes: Buffer.from(await request.arrayBuffer()),
  };
}

async function read(type: string, bytes: Buffer, size: number, field = 'file') {
  const found = await formFile(
    { headers: new Headers({ 'content-type': type }), body: bodyOf(bytes, size) },
    field,
  );
  return found && { name: found.name, bytes: Buffer.from(await new Response(found.body).arrayBuffer()) };
}

describe('the file of a form', () => {
  const content = Buffer.from(`a,b\r\n--almost\r\n\r\n--${'x'.repeat(300)}\r\nend\r\n`);

  it.each([1, 2, 7, 64, 10_000])('is read as it was sent, in pieces of %i bytes', async (size) => {
    const form = new FormData();
    form.set('intent', 'upload');
    form.set('file', new File([content], 'Häuser "neu"\n.csv'));
    form.set('after', 'x'.repeat(500));
    const { type, bytes } = await encoded(form);
    const file = await read(type, bytes, size);
    expect(file?.bytes.equals(content)).toBe(true);
    expect(file?.name).toMatch(/^Häuser "neu"\s{1,2}\.csv$/);
  });

  it('may be empty, and another field has none', async () => {
    // As browsers send a field without a chosen file.
    const type = 'multipart/form-data; boundary=b';
    const bytes = Buffer.from(
      '--b\r\ncontent-disposition: form-data; name="file"; filename=""\r\n\r\n\r\n--b--\r\n',
    );
    expect(await read(type, bytes, 5)).toEqual({ name: '', bytes: Buffer.alloc(0) });
    expect(await read(type, bytes, 5, 'other')).toBeNull();
  });

  it('is refused when the form breaks off, or is none', async () => {
    const form = new FormData();
    form.set('file', new File([content], 'a.csv'));
    const { type, bytes } = await encoded(form);
    await expect(read(type, bytes.subarray(0, bytes.length - 60), 50)).rejects.toThrow(BadRequest);
    await expect(read(type, bytes.subarray(0, 30), 50)).rejects.toThrow(BadRequest);
    await expect(read('text/csv', content, 50)).rejects.toThrow(BadRequest);
    const withoutBoundary = Buffer.from(
      bytes.toString().replaceAll(type.split('boundary=')[1] ?? '', 'null'),
    );
    await expect(read('multipart/form-data; boundary=null', withoutBoundary, 50)).resolves.not.toBeNull();
    await expect(read('multipart/form-data', withoutBoundary, 50)).rejects.toThrow(BadRequest);
    await expect(read(type, Buffer.alloc(200_000, 0x20), 9_000)).rejects.toThrow(BadRequest);
  });

  it('is refused after more of anything else than a form has', async () => {
    const form = (before: number, head: number) =>
      Buffer.from(
        `--b\r\ncontent-disposition: form-data; name="note"\r\n\r\n${'A'.repeat(before)}\r\n` +
          `--b\r\nx-long: ${'A'.repeat(head)}\r\ncontent-disposition: form-data; name="file"; filename="a.csv"\r\n\r\na\r\n--b--\r\n`,
      );
    const refusal = (before: number, head: number) =>
      read('multipart/form-data; boundary=b', form(before, head), 1_000).then(
        (file) => file?.name,
        (error: Error) => error.message,
      );
    expect(await refusal(60_000, 6_000)).toBe('a.csv');
    expect(await refusal(70_000, 0)).toBe('The form has too much before its file');
    expect(await refusal(0, 10_000)).toBe('This is not a form');
  });
});
