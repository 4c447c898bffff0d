import { paths } from '#app/paths.ts';
import { ButtonLink } from '#ui/button.tsx';

/** The way to a copy of everything that is kept of the person. */
export function OwnData() {
  return (
    <div className="grid justify-items-start gap-4">
      <p>
        A file with everything we keep of you: your account, watched and viewed properties, saved searches,
        notifications, inquiries and messages, and purchases with their fees and history.
      </p>
      <ButtonLink variant="outline" to={paths.accountExport()} reloadDocument>
        Download my data
      </ButtonLink>
    </div>
  );
}
