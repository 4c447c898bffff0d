import { useCallback, useEffect, useRef, useState } from 'react';
import { toast } from '#ui/toast.ts';
import type { Photo, PhotoOwner } from '../model.ts';
import { merged, moved, photoName, withMain, without } from '../rules.ts';
import { askPhotos, type Outcome, sendFile } from './send-photo.ts';
import { createUploadQueue, isUnderway, type Upload, type UploadQueue } from './upload-queue.ts';

interface Options {
  owner: PhotoOwner;
  photos: readonly Photo[];
  onBusyChange?: ((busy: boolean) => void) | undefined;
  onDraft?: ((draftId: string) => void) | undefined;
}

/** The photographs of a listing as its seller works on them: changes show at once and go to the server one by one. */
export function usePhotos({ owner: given, photos: initial, onBusyChange, onDraft }: Options) {
  const [photos, setPhotos] = useState<readonly Photo[]>(initial);
  const [uploads, setUploads] = useState<readonly Upload[]>([]);
  const [writing, setWriting] = useState(0);
  const [said, setSaid] = useState('');
  const owner = useRef(given);
  const current = useRef(photos);
  const gone = useRef(new Set<string>());
  const lastWrite = useRef<Promise<unknown>>(Promise.resolve());
  const writes = useRef(0);
  const queue = useRef<UploadQueue | null>(null);
  const drafted = useRef(onDraft);
  drafted.current = onDraft;

  const show = useCallback((next: readonly Photo[]) => {
    current.current = next;
    setPhotos(next);
  }, []);

  // The queue lives as long as the page does, with what it needs of it.
  useEffect(() => {
    const own = createUploadQueue({
      publish: setUploads,
      send: (upload, file, watch) => sendFile(owner.current, upload, file, watch),
      onArrived: (upload, outcome) => {
        show(merged(current.current, outcome.photos, gone.current));
        setSaid(`${upload.name} is uploaded.`);
        if (outcome.draftId && 'draftId' in owner.current && outcome.draftId !== owner.current.draftId) {
          owner.current = { draftId: outcome.draftId };
          drafted.current?.(outcome.draftId);
        }
      },
    });
    queue.current = own;
    const resume = () => own.resume();
    addEventListener('online', resume);
    return () => {
      removeEventListener('online', resume);
      own.close();
    };
  }, [show]);

  const uploading = uploads.some(isUnderway);
  const busy = writing > 0 || uploading;
  useEffect(() => onBusyChange?.(busy), [busy, onBusyChange]);
  useEffect(() => {
    if (!busy) return;
    const warn = (event: BeforeUnloadEvent) => event.preventDefault();
    addEventListener('beforeunload', warn);
    return () => removeEventListener('beforeunload', warn);
  }, [busy]);

  /** What the server has, unless something changes meanwhile. */
  const refresh = useCallback(async () => {
    const number = writes.current;
    const outcome = await askPhotos(owner.current);
    if (outcome.ok && number === writes.current)
      show(outcome.photos.filter(({ id }) => !gone.current.has(id)));
  }, [show]);
  // Answers of uploads that ran together came in any order; which one is the main one, the last word says.
  const wasUploading = useRef(false);
  useEffect(() => {
    if (wasUploading.current && !uploading) void refresh();
    wasUploading.current = uploading;
  }, [uploading, refresh]);

  /** Shows what will be and tells the server; what it refuses is taken back. */
  async function write(next: readonly Photo[], deed: Record<string, string>): Promise<boolean> {
    const before = current.current;
    const number = ++writes.current;
    show(next);
    setWriting((count) => count + 1);
    const send = () => askPhotos(owner.current, deed);
    const answer: Promise<Outcome> = lastWrite.current.then(send, send);
    lastWrite.current = answer;
    const outcome = await answer;
    setWriting((count) => count - 1);
    if (outcome.ok) {
      if (number === writes.current) show(merged(current.current, outcome.photos, gone.current));
      return true;
    }
    show(before);
    await refresh();
    const text = outcome.kind === 'lost' ? 'The connection was lost. Please try again.' : outcome.text;
    toast({ title: 'Photos could not be changed', text, tone: 'bad' });
    return false;
  }

  const named = (id: string) => {
    const index = current.current.findIndex((photo) => photo.id === id);
    const photo = current.current[index];
    return photo ? photoName(photo, index) : 'Photo';
  };

  return {
    photos,
    uploads,
    busy,
    /** for assistive technology: what has just happened */
    said,
    add(files: readonly File[], asMain: boolean) {
      if (files.length === 0) return;
      const none =
        current.current.length === 0 && !uploads.some(({ main, state }) => main && state !== 'refused');
      const last = Math.max(
        -1,
        ...current.current.map((photo) => photo.position),
        ...uploads.map((one) => one.position),
      );
      queue.current?.add(files, { main: asMain || none, position: last + 1 });
    },
    cancel: (key: string) => queue.current?.cancel(key),
    retry: (key: string) => queue.current?.retry(key),
    /** @param to the place among those that are not the main one, from 0 */
    async move(id: string, to: number) {
      const next = moved(current.current, id, to);
      if (next.every((photo, index) => photo.id === current.current[index]?.id)) return;
      setSaid(`${named(id)}: now at place ${to + 1} of ${next.filter(({ isMain }) => !isMain).length}.`);
      await write(next, { do: 'arrange', ids: next.map((photo) => photo.id).join() });
    },
    async makeMain(id: string) {
      const name = named(id);
      if (await write(withMain(current.current, id), { do: 'main', photo: id }))
        setSaid(`${name} is the main image now.`);
    },
    async remove(id: string) {
      const name = named(id);
      gone.current.add(id);
      if (await write(without(current.current, id), { do: 'delete', photo: id }))
        setSaid(`${name} is removed.`);
      else gone.current.delete(id);
    },
    describe: (id: string, { caption, alt }: { caption: string; alt: string }) =>
      write(
        current.current.map((photo) => (photo.id === id ? { ...photo, caption, alt } : photo)),
        { do: 'describe', photo: id, caption, alt },
      ),
  };
}
