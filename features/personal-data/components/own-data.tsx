import { paths } from '#routing/paths.ts';
import { ButtonLink } from '#ui/button.tsx';

/** The download link for all personal data of the user. */
export function OwnData() {
  return (
    <div className="grid justify-items-start gap-4">
      <p>
        A file with everything we keep about you: your account, watched and viewed properties, saved searches,
        notifications, inquiries and messages, and purchases with their fees and history.
      </p>
      <ButtonLink variant="outline" to={paths.accountExport()} reloadDocument>
        Download my data
      </ButtonLink>
    </div>
  );
}
