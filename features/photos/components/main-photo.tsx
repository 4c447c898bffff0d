import { Pencil, RefreshCw } from 'lucide-react';
import { Button } from '#ui/button.tsx';
import { X } from '#ui/glyphs.ts';
import { Icon } from '#ui/icon.tsx';
import type { Photo } from '../model.ts';
import { photoName } from '../rules.ts';
import { DropTarget, FileInputLabel, PhotoDropZone } from './photo-drop-zone.tsx';
import { PhotoView } from './photo-view.tsx';
import type { Upload } from './upload-queue.ts';
import { UploadTile } from './upload-tile.tsx';

export interface PhotoTools {
  locked?: boolean | undefined;
  uploads: readonly Upload[];
  /** the maximum number of photos is reached */
  full: boolean;
  onAdd: (files: readonly File[], asMain: boolean) => void;
  onCancel: (key: string) => void;
  onRetry: (key: string) => void;
  onDescribe: (id: string) => void;
  onRemove: (id: string) => void;
}

/** 'Main Property Image': a drop zone, replaced by the picture once there is one. */
export function MainPhoto({ photo, uploads, ...tools }: PhotoTools & { photo: Photo | null }) {
  const pendingUpload = uploads.find(({ main, state }) => main && state !== 'refused');
  const add = (files: readonly File[]) => tools.onAdd(files, true);
  return (
    <section className="fs" aria-labelledby="main-photo">
      <div className="f">
        <h2 className="flabel photo-title" id="main-photo">
          Main Property Image
        </h2>
        {pendingUpload ? (
          <UploadTile
            upload={pendingUpload}
            onCancel={() => tools.onCancel(pendingUpload.key)}
            onRetry={() => tools.onRetry(pendingUpload.key)}
          />
        ) : photo ? (
          <DropTarget onFiles={add}>
            {() => <StoredMainPhoto {...tools} photo={photo} onFiles={add} />}
          </DropTarget>
        ) : tools.locked ? (
          <p className="hint">No images available</p>
        ) : (
          <PhotoDropZone label="Main Property Image" onFiles={add} />
        )}
      </div>
    </section>
  );
}

interface StoredMainPhotoProps extends Omit<PhotoTools, 'uploads'> {
  photo: Photo;
  onFiles: (files: readonly File[]) => void;
}

function StoredMainPhoto({ photo, locked, full, onDescribe, onRemove, onFiles }: StoredMainPhotoProps) {
  const name = photoName(photo, 0);
  return (
    <>
      <div className="upl">
        <PhotoView photo={photo} alt={name} sizes="(width < 1200px) 90vw, 352px" />
        {!locked && (
          <button
            type="button"
            className="upl-x needs-js"
            aria-label={`Remove ${name}`}
            onClick={() => onRemove(photo.id)}
          >
            <Icon of={X} size={16} />
          </button>
        )}
      </div>
      {photo.caption && <p className="photo-caption">{photo.caption}</p>}
      {!locked && (
        <div className="photo-main-tools needs-js">
          <Button variant="ghost" size="sm" icon={Pencil} onClick={() => onDescribe(photo.id)}>
            Describe
          </Button>
          {!full && (
            <FileInputLabel
              className="btn btn-ghost btn-sm"
              label="Choose another main image"
              onFiles={onFiles}
            >
              <Icon of={RefreshCw} />
              <span aria-hidden="true">Choose another</span>
            </FileInputLabel>
          )}
        </div>
      )}
    </>
  );
}
