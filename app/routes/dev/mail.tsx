import { data, Link } from 'react-router';
import { pageMeta } from '#app/page-meta.ts';
import { getScope } from '#app/request.ts';
import { mailFolder } from '#app/server/services.ts';
import { listMails, readMail } from '#gateways/mail/outbox-reader.ts';
import { paths } from '#routing/paths.ts';
import { EmptyState } from '#ui/empty-state.tsx';
import { PageHead } from '#ui/page-head.tsx';
import type { Route } from './+types/mail';

/** The mails that were written to disk instead of sent, newest first; `?mail=` opens one. */
export async function loader({ request, context }: Route.LoaderArgs) {
  const { config } = getScope(context).ctx;
  const name = new URL(request.url).searchParams.get('mail');
  const folder = mailFolder(config);
  const [mails, open] = await Promise.all([listMails(folder), name ? readMail(folder, name) : null]);
  if (name && !open) throw data(null, { status: 404, statusText: 'Page Not Found' });
  return { mails, open, sentBySmtp: config.smtpUrl !== undefined };
}

export const meta: Route.MetaFunction = ({ matches }) => pageMeta(matches, { title: 'Mails', hidden: true });

export default function Mails({ loaderData: { mails, open, sentBySmtp } }: Route.ComponentProps) {
  return (
    <>
      <PageHead title="Mails" back={{ href: open ? paths.devMail() : paths.home(), label: 'Back' }} />
      {open ? (
        <article className="sheet">
          <h2>{open.subject}</h2>
          <p className="subtle small">
            {open.from} → {open.to}, {open.sentAt.toISOString()}
          </p>
          {open.html && (
            <iframe
              className="mt-5 h-120 w-full rounded-lg border border-line bg-white"
              title="The mail as it is shown by most mail programs"
              sandbox=""
              srcDoc={withoutStyleSheet(open.html)}
            />
          )}
          <h3 className="mt-5">Plain text</h3>
          <p className="prose mt-3 whitespace-pre-wrap break-words">{linked(open.text)}</p>
        </article>
      ) : mails.length > 0 ? (
        <ul className="stack">
          {mails.map((mail) => (
            <li key={mail.name} className="sheet">
              <Link className="link" to={paths.devMail({ mail: mail.name })}>
                {mail.subject}
              </Link>
              <p className="subtle small">
                {mail.to}, {mail.sentAt.toISOString()}
              </p>
            </li>
          ))}
        </ul>
      ) : (
        <EmptyState title={sentBySmtp ? 'Mails are sent by SMTP.' : 'No mail has been written yet.'} />
      )}
    </>
  );
}

/** The page's security policy allows style attributes alone; the sheet only adds colors for dark mode. */
const withoutStyleSheet = (html: string) => html.replace(/<style[^>]*>[\s\S]*?<\/style>/g, '');

/** Turns URLs in the mail's text into links. */
const linked = (text: string) =>
  text.split(/(https?:\/\/\S+)/).map((part, index) =>
    index % 2 === 1 ? (
      // biome-ignore lint/suspicious/noArrayIndexKey: parts of one text that never changes
      <a key={index} className="link" href={part}>
        {part}
      </a>
    ) : (
      part
    ),
  );
