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
    test: /[\\/]ui[\\/](field|focus-invalid|intent-field|notice|password-input|text-input|use-pending)\.tsx?$/,
  },
  // What the cards of lists and the page of a property have in common, and the home page with the list.
  {
    name: 'pictures',
    priority: 3,
    test: /[\\/](features[\\/]listings[\\/]display|gateways[\\/]images[\\/]sources|illustrator[\\/]illustration-key|use-set-watched)\.ts$/,
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
