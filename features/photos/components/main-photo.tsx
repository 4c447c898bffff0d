import { Pencil, RefreshCw } from 'lucide-react';
import { Button } from '#ui/button.tsx';
import { X } from '#ui/glyphs.ts';
import { Icon } from '#ui/icon.tsx';
import type { Photo } from '../model.ts';
import { photoName } from '../rules.ts';
import { PhotoView } from './photo-view.tsx';
import { DropArea, FileLabel, PhotoWell } from './photo-well.tsx';
import type { Upload } from './upload-queue.ts';
import { UploadTile } from './upload-tile.tsx';

export interface PhotoTools {
  locked?: boolean | undefined;
  uploads: readonly Upload[];
  /** no further photograph has room */
  full: boolean;
  onAdd: (files: readonly File[], asMain: boolean) => void;
  onCancel: (key: string) => void;
  onRetry: (key: string) => void;
  onDescribe: (id: string) => void;
  onRemove: (id: string) => void;
}

/** 'Main Property Image': the picture instead of the well once there is one (look §7). */
export function MainPhoto({ photo, uploads, ...tools }: PhotoTools & { photo: Photo | null }) {
  const coming = uploads.find(({ main, state }) => main && state !== 'refused');
  const add = (files: readonly File[]) => tools.onAdd(files, true);
  return (
    <section className="fs" aria-labelledby="main-photo">
      <div className="f">
        <h2 className="flabel photo-title" id="main-photo">
          Main Property Image
        </h2>
        {coming ? (
          <UploadTile
            upload={coming}
            onCancel={() => tools.onCancel(coming.key)}
            onRetry={() => tools.onRetry(coming.key)}
          />
        ) : photo ? (
          <DropArea onFiles={add}>{() => <StoredMain {...tools} photo={photo} onFiles={add} />}</DropArea>
        ) : tools.locked ? (
          <p className="hint">No images available</p>
        ) : (
          <PhotoWell label="Main Property Image" onFiles={add} />
        )}
      </div>
    </section>
  );
}

interface StoredProps extends Omit<PhotoTools, 'uploads'> {
  photo: Photo;
  onFiles: (files: readonly File[]) => void;
}

function StoredMain({ photo, locked, full, onDescribe, onRemove, onFiles }: StoredProps) {
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
            <FileLabel className="btn btn-ghost btn-sm" label="Choose another main image" onFiles={onFiles}>
              <Icon of={RefreshCw} />
              <span aria-hidden="true">Choose another</span>
            </FileLabel>
          )}
        </div>
      )}
    </>
  );
}
