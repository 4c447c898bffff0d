import { reactRouter } from '@react-router/dev/vite';
import tailwindcss from '@tailwindcss/vite';
import { defineConfig } from 'vite';
import { leaveOut } from './scripts/left-out.ts';

// Few chunks compress better than many (R11), and an update of the product leaves the framework's chunk cached.
const chunks = [
  {
    name: 'framework',
    priority: 5,
    test: /[\\/]node_modules[\\/](react|react-dom|scheduler|react-router)[\\/]|^\0rolldown[\\/]runtime/,
  },
  {
    name: 'frame',
    priority: 4,
    test: /[\\/]app[\\/](root|page-meta|routes[\\/]public[\\/]shell)\.tsx?$|[\\/](platform[\\/]money|ui[\\/](action-data|badge|failed-panel|post|select-control))\.tsx?$/,
  },
  // What most forms consist of.
  {
    name: 'forms',
    priority: 3,
    test: /[\\/](ui[\\/](choice-label|field|focus-invalid|format-time|intent-field|local-time|notice|page-head|password-input|radio|text-input|time-zone|use-pending)|app[\\/]shell[\\/]logout-form|features[\\/](accounts[\\/]rules|notifications[\\/]model)|platform[\\/]durations|routing[\\/]seller-paths)\.tsx?$/,
  },
  // What asks for a decision.
  { name: 'dialogs', priority: 3, test: /[\\/]ui[\\/](action-dialog|dialog|panel|text-area)\.tsx$/ },
  {
    name: 'sign-in',
    priority: 3,
    test: /[\\/](app[\\/](shell[\\/](auth-card|parcel-map)|pages[\\/]sign-in[\\/]sign-in-page)|features[\\/]accounts[\\/]components[\\/](new-password-fields|sign-in-form))\.tsx?$/,
  },
  // What names things of one area to the others.
  {
    name: 'links',
    priority: 3,
    test: /[\\/](routing[\\/](document|feed|search|sign-in|tour)-paths|features[\\/](buyers|documents|inquiries)[\\/]model|features[\\/]documents[\\/]display|ui[\\/](post-and-read|property-glyphs))\.ts$/,
  },
  {
    name: 'proof',
    priority: 3,
    test: /[\\/]features[\\/]factors[\\/](model|components[\\/](code-input|passkey-button|passkey-ceremony|proof-dialog))\.tsx?$/,
  },
  // What every page loads once it is shown.
  {
    name: 'later',
    priority: 3,
    test: /[\\/](app[\\/](live[\\/](navigation-focus|notification-toasts|offline-word|page-listeners|revalidate|session-watch)|shell[\\/](area-content|follow-theme|pending-page|slow-path))|ui[\\/](flash-cookie|skeleton|toast-card|toast-view|toasts))\.tsx?$/,
  },
  // What every page of somebody who is signed in loads once it is shown.
  {
    name: 'signed-in',
    priority: 3,
    test: /[\\/](app[\\/](live[\\/](fetch-unread|live-subscription|shared-stream)|shell[\\/](account-menu|bell-button))|features[\\/]bell[\\/]display|ui[\\/](avatar|pill))\.tsx?$/,
  },
  // What the tables and forms of an account consist of.
  {
    name: 'office',
    priority: 2,
    test: /[\\/](ui[\\/](breadcrumbs|bulk-bar|checkbox|cursor-pagination|drawer|empty-state|menu|money-digits|money-input|page-window|pagination|row-click|search-field|select|sidebar|sidebar-rows|sortable-header|stat-strip|switch|table|table-message|table-roles|tabs|time-ago|tooltip)|routing[\\/]admin-paths|app[\\/](table-query|table-search|shell[\\/](area-error|not-available))|platform[\\/](counts|typed-text)|features[\\/](audit[\\/]components[\\/](history-changes|record-history)|notices[\\/]components[\\/]notice-list|listings[\\/](rules|transitions)))\.tsx?$/,
  },
  { name: 'icons', priority: 1, minShareCount: 2, test: /[\\/]node_modules[\\/]lucide-react[\\/]/ },
  // What the cards of lists and the page of a property have in common, and the home page with the list.
  {
    name: 'pictures',
    priority: 4,
    test: /[\\/](app[\\/]pages[\\/]listings[\\/]property-parts|features[\\/]listings[\\/]display|gateways[\\/]images[\\/]sources|illustrator[\\/]illustration-key|use-set-watched)\.ts$/,
  },
  { name: 'cards', priority: 2, test: /[\\/](property-grid|search-combobox)\.tsx$/ },
  { name: 'listings', priority: 1, test: /[\\/]app[\\/]routes[\\/]public[\\/]properties\.tsx$/ },
  // What the home page has in common with others stays apart from it.
  { name: 'details', priority: 1, test: /[\\/]ui[\\/]detail-glyphs\.ts$/ },
  // With the hero, which the homepage editor shows as well.
  { name: 'home', priority: 0, test: /[\\/]app[\\/]routes[\\/]public[\\/]home\.tsx$/ },
];

export default defineConfig({
  plugins: [leaveOut(), tailwindcss(), reactRouter()],
  // Lists of what each later chunk needs weigh more on every page (R11) than they save where one is used.
  build: { assetsInlineLimit: 0, modulePreload: false },
  environments: {
    client: { build: { rolldownOptions: { output: { codeSplitting: { groups: chunks } } } } },
    // The server's main module is the bundle's entry, so that modules with state exist once per process.
    ssr: { build: { rolldownOptions: { input: './app/server/main.ts' } } },
  },
});
