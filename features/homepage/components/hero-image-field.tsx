import { ImageUp } from 'lucide-react';
import { type ChangeEvent, useId } from 'react';
import { imageSources } from '#gateways/images/sources.ts';
import { Button } from '#ui/button.tsx';
import { FieldError } from '#ui/field.tsx';
import { Icon } from '#ui/icon.tsx';
import { Notice } from '#ui/notice.tsx';
import { Spinner } from '#ui/spinner.tsx';
import type { HomepageContent } from '../model.ts';
import { HERO_IMAGE, smallImageWarning } from '../rules.ts';

interface Props {
  image: HomepageContent['image'];
  editing: boolean;
  /** a file is being uploaded */
  busy: boolean;
  error: string | undefined;
  onFile: (file: File) => void;
  onRemove: () => void;
}

const types = HERO_IMAGE.accept.map((kind) => `image/${kind}`).join();

/** The hero's picture: what it is now, and while editing the way to another one. */
export function HeroImageField({ image, editing, busy, error, onFile, onRemove }: Props) {
  const id = useId();
  const warning = image && smallImageWarning(image);
  const chosen = ({ currentTarget }: ChangeEvent<HTMLInputElement>) => {
    const file = currentTarget.files?.[0];
    // Allows the same file to be chosen again after a refusal.
    currentTarget.value = '';
    if (file) onFile(file);
  };
  return (
    <div className="f">
      <span className="flabel" id={`${id}-label`}>
        Hero Image
      </span>
      <div className={busy ? 'upl hero-image upl-busy' : 'upl hero-image'} aria-busy={busy || undefined}>
        {image ? (
          <img
            src={imageSources(image.id, image.widths).src}
            alt="The hero as it is chosen now"
            width={image.width}
            height={image.height}
          />
        ) : (
          <img src="/illustrations/hero-light.svg" alt="The built-in panorama" width={1600} height={900} />
        )}
      </div>
      {editing && (
        <div className="hero-image-tools needs-js">
          <label className="btn btn-outline btn-sm" htmlFor={id} aria-disabled={busy || undefined}>
            <input
              id={id}
              className="vh"
              type="file"
              accept={types}
              aria-label="Hero Image"
              aria-describedby={`${id}-note`}
              aria-invalid={error ? true : undefined}
              disabled={busy}
              onChange={chosen}
            />
            {busy ? <Spinner /> : <Icon of={ImageUp} />}
            <span aria-hidden="true">{busy ? 'Uploading…' : 'Choose image'}</span>
          </label>
          {image && (
            <Button variant="ghost" size="sm" onClick={onRemove} disabled={busy}>
              Use the built-in picture
            </Button>
          )}
        </div>
      )}
      <div className="fnote" id={`${id}-note`}>
        {error ? (
          <FieldError>{error}</FieldError>
        ) : (
          <span className="hint">
            JPG, PNG, WebP, at most 5MB. Recommended ratio 16:9, 1920x1080 or larger.
          </span>
        )}
      </div>
      {editing && warning && <Notice tone="warn">{warning}</Notice>}
    </div>
  );
}
