import { Button } from './button.tsx';
import { CircleAlert } from './glyphs.ts';
import { Icon } from './icon.tsx';

interface ErrorStateProps {
  /** The error message. */
  title: string;
  detail?: string | undefined;
  retry?: { busy?: boolean; onRetry: () => void };
}

/** Content of a panel that could not be loaded: what happened, and a retry button. The panel keeps its title. */
export function ErrorState({ title, detail, retry }: ErrorStateProps) {
  return (
    <div className="fail" role="alert">
      <Icon of={CircleAlert} size={20} />
      <b>{title}</b>
      {detail && <p>{detail}</p>}
      {retry && (
        <Button className="needs-js" variant="outline" busy={retry.busy} onClick={retry.onRetry}>
          Retry
        </Button>
      )}
    </div>
  );
}
