import { MAX_IMAGE_BYTES } from '#gateways/images/limits.ts';

/**
 * Reads and discards the rest of a request's body, up to the upload limit: a browser that gets a response before it has sent
 * everything may report a broken connection.
 */
export async function drainBody(body: ReadableStream<Uint8Array> | null): Promise<void> {
  if (!body || body.locked) return;
  let left = MAX_IMAGE_BYTES;
  const reader = body.getReader();
  try {
    for (let piece = await reader.read(); !piece.done && left > 0; piece = await reader.read())
      left -= piece.value.length;
  } catch {
    // The client has disconnected.
  } finally {
    reader.releaseLock();
  }
}
