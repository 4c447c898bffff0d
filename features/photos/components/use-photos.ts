import { useCallback, useEffect, useMemo, useRef, useState } from 'react';
import { toast } from '#ui/toast.ts';
import { useIsComingBack } from '#ui/use-destination.ts';
import type { Photo, PhotoOwner, PhotoTexts, RefusedUpload, UploadsState } from '../model.ts';
import { mergePhotos, movePhoto, photoName, withMainPhoto, withoutPhoto } from '../rules.ts';
import { forgetUpload, resumeUploads, storeUpload } from './pending-uploads.ts';
import { type Outcome, requestPhotos, sendFile } from './photo-requests.ts';
import { createUploadQueue, isUnderway, type Upload, type UploadQueue } from './upload-queue.ts';

interface Options {
  owner: PhotoOwner;
  photos: readonly Photo[];
  form: string;
  onUploads?: ((state: UploadsState) => void) | undefined;
  onDraft?: ((draftId: string) => void) | undefined;
}

const ofState = (uploads: readonly Upload[], wanted: 'failed' | 'refused'): RefusedUpload[] =>
  uploads.flatMap(({ key, name, state, problem }) =>
    state === wanted ? [{ key, name, problem: problem ?? '' }] : [],
  );

/** The same list until something in it differs, so that the form is not told of every step of the progress. */
function useUnchanged(list: readonly RefusedUpload[]): readonly RefusedUpload[] {
  const text = JSON.stringify(list);
  return useMemo(() => JSON.parse(text) as RefusedUpload[], [text]);
}

/** State of the photo manager: changes are shown optimistically and sent to the server one by one. */
export function usePhotos({ owner: given, photos: initial, form, onUploads, onDraft }: Options) {
  const [photos, setPhotos] = useState<readonly Photo[]>(initial);
  const [uploads, setUploads] = useState<readonly Upload[]>([]);
  const [writing, setWriting] = useState(0);
  const [announcement, setAnnouncement] = useState('');
  const owner = useRef(given);
  const current = useRef(photos);
  const removedIds = useRef(new Set<string>());
  const lastWrite = useRef<Promise<unknown>>(Promise.resolve());
  const writeCount = useRef(0);
  const queue = useRef<UploadQueue | null>(null);
  const onDraftRef = useRef(onDraft);
  onDraftRef.current = onDraft;
  const isComingBack = useRef(useIsComingBack());

  const show = useCallback((next: readonly Photo[]) => {
    current.current = next;
    setPhotos(next);
  }, []);

  // One queue for the lifetime of the page.
  useEffect(() => {
    const own = createUploadQueue({
      publish: setUploads,
      store: (upload) => storeUpload(form, upload),
      forget: (key) => void forgetUpload(key),
      send: (upload, file, watch) => sendFile(owner.current, upload, file, watch),
      onUploaded: (upload, outcome) => {
        show(mergePhotos(current.current, outcome.photos, removedIds.current));
        setAnnouncement(`${upload.name} is uploaded.`);
        if (outcome.draftId && 'draftId' in owner.current && outcome.draftId !== owner.current.draftId) {
          owner.current = { draftId: outcome.draftId };
          onDraftRef.current?.(outcome.draftId);
        }
      },
    });
    queue.current = own;
    const left = new AbortController();
    void resumeUploads(form, left.signal, own.restore);
    const resume = () => own.resume();
    addEventListener('online', resume);
    return () => {
      left.abort();
      removeEventListener('online', resume);
      own.close({ kept: isComingBack.current() });
    };
  }, [show, form]);

  const uploading = uploads.some(isUnderway);
  const busy = writing > 0 || uploading;
  const failures = useUnchanged(ofState(uploads, 'failed'));
  const refused = useUnchanged(ofState(uploads, 'refused'));
  const failed = useMemo(
    () =>
      failures.map((failure) => ({
        ...failure,
        retry: () => queue.current?.retry(failure.key),
        remove: () => queue.current?.cancel(failure.key),
      })),
    [failures],
  );
  useEffect(() => onUploads?.({ busy, failed, refused }), [busy, failed, refused, onUploads]);
  const unfinished = busy || failed.length > 0;
  useEffect(() => {
    if (!unfinished) return;
    const warn = (event: BeforeUnloadEvent) => event.preventDefault();
    addEventListener('beforeunload', warn);
    return () => removeEventListener('beforeunload', warn);
  }, [unfinished]);

  /** Loads the server's state, unless something changes in the meantime. */
  const refresh = useCallback(async () => {
    const number = writeCount.current;
    const outcome = await requestPhotos(owner.current);
    if (outcome.ok && number === writeCount.current)
      show(outcome.photos.filter(({ id }) => !removedIds.current.has(id)));
  }, [show]);
  // Responses of concurrent uploads arrive in any order, so reload at the end to get the right main photo.
  const wasUploading = useRef(false);
  useEffect(() => {
    if (wasUploading.current && !uploading) void refresh();
    wasUploading.current = uploading;
  }, [uploading, refresh]);

  /** Optimistic update, reverted when the server refuses it; `newer`: somebody else was faster. */
  async function write(
    next: readonly Photo[],
    action: Record<string, string>,
  ): Promise<'done' | 'refused' | 'newer'> {
    const before = current.current;
    const number = ++writeCount.current;
    show(next);
    setWriting((count) => count + 1);
    const send = () => requestPhotos(owner.current, action);
    const answer: Promise<Outcome> = lastWrite.current.then(send, send);
    lastWrite.current = answer;
    const outcome = await answer;
    setWriting((count) => count - 1);
    if (outcome.ok) {
      if (number === writeCount.current)
        show(mergePhotos(current.current, outcome.photos, removedIds.current));
      return 'done';
    }
    show(before);
    await refresh();
    const text = outcome.kind === 'lost' ? 'The connection was lost. Please try again.' : outcome.text;
    toast({ title: 'Photos could not be changed', text, tone: 'bad' });
    return outcome.reason === 'newer' ? 'newer' : 'refused';
  }

  const labelOf = (id: string) => {
    const index = current.current.findIndex((photo) => photo.id === id);
    const photo = current.current[index];
    return photo ? photoName(photo, index) : 'Photo';
  };

  return {
    photos,
    uploads,
    busy,
    /** announcement for screen readers */
    announcement,
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
    /** @param to index among the additional photos, from 0 */
    async move(id: string, to: number) {
      const next = movePhoto(current.current, id, to);
      if (next.every((photo, index) => photo.id === current.current[index]?.id)) return;
      setAnnouncement(
        `${labelOf(id)}: now photo ${to + 1} of ${next.filter(({ isMain }) => !isMain).length}.`,
      );
      await write(next, { intent: 'arrange', ids: next.map((photo) => photo.id).join() });
    },
    async makeMain(id: string) {
      const name = labelOf(id);
      if ((await write(withMainPhoto(current.current, id), { intent: 'main', photo: id })) === 'done')
        setAnnouncement(`${name} is now the main image.`);
    },
    async remove(id: string) {
      const name = labelOf(id);
      removedIds.current.add(id);
      if ((await write(withoutPhoto(current.current, id), { intent: 'delete', photo: id })) === 'done')
        setAnnouncement(`${name} was removed.`);
      else removedIds.current.delete(id);
    },
    /** @param base the texts that were shown when they began to be edited */
    describe: (id: string, { caption, alt }: PhotoTexts, base: PhotoTexts) =>
      write(
        current.current.map((photo) => (photo.id === id ? { ...photo, caption, alt } : photo)),
        { intent: 'describe', photo: id, caption, alt, baseCaption: base.caption, baseAlt: base.alt },
      ),
  };
}
