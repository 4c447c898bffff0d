import { MailError } from './port.ts';

/**
 * The content of a mail. `button.url` is absolute, http or https; `footer` is the closing line in small print (why the
 * recipient gets this mail), followed by `footerLink`, absolute as well; `preview` is what mailboxes show next to the
 * subject, by default the first paragraph.
 */
export type MailContent = {
  heading: string;
  paragraphs: readonly string[];
  button?: { label: string; url: string };
  footer?: string;
  footerLink?: { label: string; url: string };
  preview?: string;
};

const SANS = "Inter, -apple-system, 'Segoe UI', Helvetica, Arial, sans-serif";
const SERIF = "Fraunces, Georgia, 'Times New Roman', serif";

/** Mail clients that support dark mode replace the inline colors; all others keep the light ones. */
const DARK = `@media (prefers-color-scheme: dark) {
  .page { background: #0f1411 !important; }
  .sheet { background: #161d19 !important; border-color: #27312b !important; }
  .ink { color: #f1ede3 !important; }
  .quiet { color: #bfc1b5 !important; }
  .mark { color: #93c4a5 !important; }
  .action { background: #93c4a5 !important; color: #0a1b13 !important; }
}`;

/**
 * Renders the text and the HTML of a mail in the standard layout: the name of the marketplace, heading, paragraphs, at most one
 * button, footer.
 * All content is escaped; the button's URL is also spelled out below it, for clients that do not render links.
 *
 * @param support the address for questions, in small print at the end
 * @throws MailError `invalid` unless every link is an http or https URL
 */
export function renderMail(
  brand: string,
  content: MailContent,
  support?: string,
): { text: string; html: string } {
  const button = content.button && { ...content.button, url: checkedUrl(content.button.url) };
  const text = [
    brand,
    content.heading,
    ...content.paragraphs,
    ...(button ? [`${button.label}:\n${button.url}`] : []),
    ...(content.footer ? [`-- \n${content.footer}`] : []),
    ...(support ? [`${content.footer ? '' : '-- \n'}${questions(support)}`] : []),
    ...(content.footerLink ? [`${content.footerLink.label}:\n${checkedUrl(content.footerLink.url)}`] : []),
  ].join('\n\n');
  return { text: `${text}\n`, html: page(brand, content, button, support) };
}

function page(
  brand: string,
  { heading, paragraphs, footer, footerLink, preview }: MailContent,
  button: MailContent['button'],
  support: string | undefined,
): string {
  const body = [
    `<p class="mark" style="margin:0 0 24px;font:600 15px/1.4 ${SANS};color:#1e4a34">${escaped(brand)}</p>`,
    `<h1 class="ink" style="margin:0 0 16px;font:500 26px/1.25 ${SERIF};color:#1a211c">${escaped(heading)}</h1>`,
    ...paragraphs.map(paragraph),
    ...(button ? buttonHtml(button) : []),
  ];
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<meta name="color-scheme" content="light dark">
<meta name="supported-color-schemes" content="light dark">
<title>${escaped(heading)}</title>
<style>${DARK}</style>
</head>
<body class="page" style="margin:0;padding:0;background:#faf8f2">
<div style="display:none;max-height:0;overflow:hidden">${escaped(preview ?? paragraphs[0] ?? '')}</div>
<table role="presentation" class="page" width="100%" cellpadding="0" cellspacing="0" style="background:#faf8f2">
<tr><td align="center" style="padding:32px 16px">
<table role="presentation" width="100%" cellpadding="0" cellspacing="0" style="max-width:560px">
<tr><td class="sheet" style="padding:32px;background:#fffefc;border:1px solid #e8e2d5;border-radius:12px;text-align:left">
${body.join('\n')}
</td></tr>
<tr><td class="quiet" style="padding:16px 32px 0;font:400 13px/1.5 ${SANS};color:#666a60;text-align:left">
${footer ? escapedLines(footer) : escaped(brand)}${support ? `<br>${escaped(questions(support))}` : ''}${footerLink ? footerLinkHtml(footerLink) : ''}
</td></tr>
</table>
</td></tr>
</table>
</body>
</html>
`;
}

const questions = (support: string): string => `Questions? Write to ${support}.`;

function paragraph(text: string): string {
  return `<p class="ink" style="margin:0 0 16px;font:400 16px/1.6 ${SANS};color:#1a211c">${escapedLines(text)}</p>`;
}

function buttonHtml({ label, url }: { label: string; url: string }): string[] {
  const address = escaped(url);
  const buttonStyle = `display:inline-block;padding:13px 24px;border-radius:8px;background:#1e4a34;color:#ffffff`;
  return [
    `<p style="margin:24px 0"><a class="action" href="${address}" style="${buttonStyle};font:600 16px/1.4 ${SANS};text-decoration:none">${escaped(label)}</a></p>`,
    `<p class="quiet" style="margin:0;font:400 13px/1.5 ${SANS};color:#4c534b;word-break:break-all">Or open this address: <a class="mark" href="${address}" style="color:#285c41">${address}</a></p>`,
  ];
}

function footerLinkHtml({ label, url }: { label: string; url: string }): string {
  return ` <a class="mark" href="${escaped(checkedUrl(url))}" style="color:#285c41">${escaped(label)}</a>`;
}

function checkedUrl(url: string): string {
  if (!URL.canParse(url) || !/^https?:$/.test(new URL(url).protocol))
    throw new MailError('invalid', 'The button of a mail leads to an http or https address');
  return new URL(url).href;
}

function escaped(text: string): string {
  return text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;')
    .replaceAll("'", '&#39;');
}

function escapedLines(text: string): string {
  return escaped(text).replaceAll('\n', '<br>');
}
