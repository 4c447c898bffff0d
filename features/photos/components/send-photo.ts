import { paths } from '#app/paths.ts';
import type { Photo, PhotoOwner, PhotosSaid } from '../model.ts';

/** What came of a request about photographs. */
export type Outcome =
  | { ok: true; photos: Photo[]; photo?: string; draftId?: string }
  /** `no`: it stays so; `person`: somebody has to do something first; `later`: it may go well by itself; `lost`: nothing arrived */
  | { ok: false; kind: 'no' | 'person' | 'later' | 'lost'; text: string; afterSeconds?: number };

const LOST = 'The connection was lost. It is tried again by itself.';
const FAILED = 'Something went wrong on our side.';
const SIGNED_OUT = 'You have been signed out. Sign in again in another tab, then try again.';
const GONE = 'This listing is no longer there.';

interface UploadOf {
  key: string;
  position: number;
  main: boolean;
}

/**
 * Sends the bytes of one file. Only this old kind of request tells how far it is.
 * @param onProgress called with 0 to 1; 1 when everything is sent and the server works on it
 */
export function sendFile(
  owner: PhotoOwner,
  { key, position, main }: UploadOf,
  file: Blob,
  { onProgress, signal }: { onProgress: (share: number) => void; signal: AbortSignal },
): Promise<Outcome> {
  return new Promise((resolve) => {
    const request = new XMLHttpRequest();
    request.open('POST', paths.photoUpload(owner, { key, position, main: main ? 1 : undefined }));
    request.setRequestHeader('accept', 'application/json');
    request.setRequestHeader('content-type', 'application/octet-stream');
    request.upload.onprogress = ({ loaded, total }) => onProgress(total > 0 ? loaded / total : 0);
    request.upload.onload = () => onProgress(1);
    request.onload = () =>
      resolve(outcomeOf(request.status, request.responseText, request.getResponseHeader('retry-after')));
    request.onerror = () => resolve({ ok: false, kind: 'lost', text: LOST });
    request.onabort = () => resolve({ ok: false, kind: 'no', text: '' });
    signal.addEventListener('abort', () => request.abort(), { once: true });
    request.send(file);
  });
}

/** Asks for the photographs as they are, or changes them. */
export async function askPhotos(owner: PhotoOwner, deed?: Record<string, string>): Promise<Outcome> {
  try {
    const answer = await fetch(paths.photos(owner), {
      method: deed ? 'POST' : 'GET',
      headers: { accept: 'application/json' },
      ...(deed && { body: new URLSearchParams(deed) }),
    });
    return outcomeOf(answer.status, await answer.text(), answer.headers.get('retry-after'));
  } catch {
    return { ok: false, kind: 'lost', text: LOST };
  }
}

function outcomeOf(status: number, body: string, retryAfter: string | null): Outcome {
  const said = parsed(body);
  if (status < 300 && said && 'photos' in said) return { ok: true, ...said };
  const text = said && 'error' in said ? said.error : FAILED;
  if (status === 401) return { ok: false, kind: 'person', text: SIGNED_OUT };
  if (status === 429) return { ok: false, kind: 'later', text, afterSeconds: Number(retryAfter) || 60 };
  if (status === 404) return { ok: false, kind: 'no', text: GONE };
  if (status >= 400 && status < 500 && status !== 408) return { ok: false, kind: 'no', text };
  return { ok: false, kind: 'later', text: FAILED };
}

function parsed(body: string): PhotosSaid | null {
  try {
    return JSON.parse(body) as PhotosSaid;
  } catch {
    return null;
  }
}
