import './preview.css';
import { Link } from 'react-router';
import { Notice } from '#ui/notice.tsx';
import type { Gap } from '../preview.ts';

interface Props {
  formHref: string;
  /** it shows a draft of a new listing */
  isDraft: boolean;
  /** it shows changes of a listing that were not submitted */
  hasChanges: boolean;
  /** buyers see the listing's own page */
  isPublic: boolean;
  gaps: readonly Gap[];
}

/** Says above a preview who sees it, what it shows, and what the form still needs, with links to its fields. */
export function PreviewNotice({ formHref, gaps, ...shown }: Props) {
  return (
    <div className="preview-notice">
      <Notice tone="info" title="Preview: only you see this page">
        <p>{explanationOf(shown)}</p>
      </Notice>
      {gaps.length > 0 && (
        <Notice tone="warn" title="Still missing">
          <p>{`Please complete these before you ${shown.isDraft ? 'submit' : 'update'} the property.`}</p>
          <ul>
            {gaps.map(({ field, text }) => (
              <li key={field}>
                <Link className="link" to={`${formHref}#${field}`}>
                  {text}
                </Link>
              </li>
            ))}
          </ul>
        </Notice>
      )}
    </div>
  );
}

function explanationOf({
  isDraft,
  hasChanges,
  isPublic,
}: Pick<Props, 'isDraft' | 'hasChanges' | 'isPublic'>) {
  if (isDraft) return 'It shows your draft as buyers will see it once it is submitted and approved.';
  if (hasChanges) return 'It shows the property with the changes that you have not submitted yet.';
  return `It shows the property as buyers ${isPublic ? 'see it now' : 'will see it'}.`;
}
