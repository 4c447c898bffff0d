import { sellerPaths } from '#routing/seller-paths.ts';
import type { Photo, PhotoOwner, PhotoRefusal, PhotosResponse } from '../model.ts';

/** Result of a photo request. */
export type Outcome =
  | { ok: true; photos: Photo[]; photo?: string; draftId?: string }
  /** `no`: final; `person`: needs user action; `later`: may be retried automatically; `lost`: network failure */
  | {
      ok: false;
      kind: 'no' | 'person' | 'later' | 'lost';
      text: string;
      reason?: PhotoRefusal;
      afterSeconds?: number;
    };

const LOST = 'The connection was lost. Trying again automatically.';
const FAILED = 'Something went wrong on our side.';
const SIGNED_OUT = 'You have been signed out. Sign in again in another tab, then try again.';
const GONE = 'This listing no longer exists.';

interface UploadParams {
  key: string;
  position: number;
  main: boolean;
}

/**
 * Uploads one file. Uses XMLHttpRequest because fetch reports no upload progress.
 * @param onProgress called with 0 to 1; 1 when everything is sent and the server is processing
 */
export function sendFile(
  owner: PhotoOwner,
  { key, position, main }: UploadParams,
  file: Blob,
  { onProgress, signal }: { onProgress: (share: number) => void; signal: AbortSignal },
): Promise<Outcome> {
  return new Promise((resolve) => {
    const request = new XMLHttpRequest();
    request.open('POST', sellerPaths.photoUpload(owner, { key, position, main: main ? 1 : undefined }));
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

/** Loads the photos, or changes them when given an action. */
export async function requestPhotos(owner: PhotoOwner, action?: Record<string, string>): Promise<Outcome> {
  try {
    const answer = await fetch(sellerPaths.photos(owner), {
      method: action ? 'POST' : 'GET',
      headers: { accept: 'application/json' },
      ...(action && { body: new URLSearchParams(action) }),
    });
    return outcomeOf(answer.status, await answer.text(), answer.headers.get('retry-after'));
  } catch {
    return { ok: false, kind: 'lost', text: LOST };
  }
}

function outcomeOf(status: number, body: string, retryAfter: string | null): Outcome {
  const parsedBody = parseBody(body);
  if (status < 300 && parsedBody && 'photos' in parsedBody) return { ok: true, ...parsedBody };
  const text = parsedBody && 'error' in parsedBody ? parsedBody.error : FAILED;
  if (status === 401) return { ok: false, kind: 'person', text: SIGNED_OUT };
  if (status === 429) return { ok: false, kind: 'later', text, afterSeconds: Number(retryAfter) || 60 };
  if (status === 404) return { ok: false, kind: 'no', text: GONE };
  if (status >= 400 && status < 500 && status !== 408)
    return {
      ok: false,
      kind: 'no',
      text,
      ...(parsedBody && 'reason' in parsedBody && { reason: parsedBody.reason }),
    };
  return { ok: false, kind: 'later', text: FAILED };
}

function parseBody(body: string): PhotosResponse | null {
  try {
    return JSON.parse(body) as PhotosResponse;
  } catch {
    return null;
  }
}
