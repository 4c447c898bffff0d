import { useState } from 'react';
import { Button } from '#ui/button.tsx';
import { CircleAlert, X } from '#ui/glyphs.ts';
import { Icon } from '#ui/icon.tsx';
import type { Upload } from './upload-queue.ts';

interface Props {
  upload: Upload;
  onCancel: () => void;
  onRetry: () => void;
}

const stateLabels: Record<Exclude<Upload['state'], 'refused'>, string> = {
  waiting: 'Waiting',
  sending: 'Uploading',
  working: 'Processing',
  trying: 'Trying again',
  failed: 'Not uploaded',
};

/** An upload in progress: preview, progress, cancel and retry. */
export function UploadTile({ upload, onCancel, onRetry }: Props) {
  const { name, preview, state, progress, problem } = upload;
  const [previewShown, setPreviewShown] = useState(true);
  if (state === 'refused') return null;
  const percent = Math.round(progress * 100);
  const moving = state === 'sending' || state === 'working';
  return (
    <>
      <div className="upl upl-busy">
        {previewShown ? (
          <img src={preview} alt="" decoding="async" onError={() => setPreviewShown(false)} />
        ) : (
          <span className="photo-blank" />
        )}
        {moving && (
          <progress
            aria-label={`${stateLabels[state]} ${name}`}
            max={100}
            value={state === 'working' ? undefined : percent}
          />
        )}
        <button type="button" className="upl-x" aria-label={`Cancel ${name}`} onClick={onCancel}>
          <Icon of={X} size={14} />
        </button>
      </div>
      <p className="photo-state">
        <span className="photo-name">{name}</span>
        <span className="hint">
          {state === 'sending' ? `${stateLabels[state]} ${percent} %` : stateLabels[state]}
        </span>
      </p>
      {problem && (
        <p className="err" role="alert">
          <Icon of={CircleAlert} size={14} />
          <span>{problem}</span>
        </p>
      )}
      {(state === 'failed' || state === 'trying') && (
        <Button variant="outline" size="sm" onClick={onRetry} aria-label={`Retry ${name}`}>
          Retry
        </Button>
      )}
    </>
  );
}

/** A refused file: the reason and a button to dismiss it. */
export function RefusedFile({ upload, onCancel }: Omit<Props, 'onRetry'>) {
  return (
    <li className="photo-refused">
      <span className="err" role="alert">
        <Icon of={CircleAlert} size={14} />
        <span>
          <b>{upload.name}</b> {upload.problem}
        </span>
      </span>
      <button
        type="button"
        className="iconbtn iconbtn-sm"
        aria-label={`Dismiss ${upload.name}`}
        onClick={onCancel}
      >
        <Icon of={X} size={16} />
      </button>
    </li>
  );
}
