import { importMessages } from '../rules.ts';

export type Sent = { ok: true; to: string } | { ok: false; text: string };

const SIGNED_OUT = 'You have been signed out. Sign in again in another tab, then try again.';

/**
 * Uploads a file of listings. Uses XMLHttpRequest because fetch reports no upload progress.
 * @param onProgress called with 0 to 1; 1 when everything is sent and the server reads the file
 * @returns null when it was cancelled
 */
export function sendImportFile(
  to: string,
  file: File,
  { onProgress, signal }: { onProgress: (share: number) => void; signal: AbortSignal },
): Promise<Sent | null> {
  return new Promise((resolve) => {
    const form = new FormData();
    form.set('file', file);
    const request = new XMLHttpRequest();
    request.open('POST', to);
    request.setRequestHeader('accept', 'application/json');
    request.upload.onprogress = ({ loaded, total }) => onProgress(total > 0 ? loaded / total : 0);
    request.upload.onload = () => onProgress(1);
    request.onload = () => resolve(answerOf(request.status, request.responseText));
    request.onerror = () => resolve({ ok: false, text: importMessages.notSent });
    request.onabort = () => resolve(null);
    signal.addEventListener('abort', () => request.abort(), { once: true });
    request.send(form);
  });
}

function answerOf(status: number, body: string): Sent {
  const answer = parse(body);
  if (status === 201 && answer.to) return { ok: true, to: answer.to };
  if (status === 401) return { ok: false, text: SIGNED_OUT };
  if (status === 413) return { ok: false, text: importMessages.tooLarge };
  return { ok: false, text: (status < 500 && answer.error) || importMessages.uploadFailed };
}

function parse(body: string): { to?: string; error?: string } {
  try {
    return JSON.parse(body) as { to?: string; error?: string };
  } catch {
    return {};
  }
}
