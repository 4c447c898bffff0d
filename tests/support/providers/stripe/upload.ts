import { StripeApiError } from './api-error.ts';

/** An uploaded file; `bytes` is its size. */
export type StripeUpload = { filename: string; purpose: string; bytes: number };

/**
 * Parses a multipart body with a purpose and a file. The body is text, so the size counts characters.
 * @throws StripeRefusal when one of them is missing
 */
export function parseUpload(text: string): StripeUpload {
  const purpose = /name="purpose"\r\n\r\n(\w+)\r\n/.exec(text)?.[1];
  const [, filename, content] =
    /name="file"; filename="([^"]+)"\r\nContent-Type: (?:application\/pdf|image\/jpeg|image\/png)\r\n\r\n([\s\S]*?)\r\n--/.exec(
      text,
    ) ?? [];
  if (purpose === undefined || filename === undefined || content === undefined)
    throw StripeApiError.invalidParameter(
      'file',
      'Missing file, purpose or content type',
      'parameter_missing',
    );
  return { filename, purpose, bytes: content.length };
}
