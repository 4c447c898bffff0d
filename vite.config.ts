import { reactRouter } from '@react-router/dev/vite';
import tailwindcss from '@tailwindcss/vite';
import { defineConfig } from 'vite';

// Few chunks compress better than many (R11), and an update of the product leaves the framework's chunk cached.
const chunks = [
  {
    name: 'framework',
    priority: 3,
    test: /[\\/]node_modules[\\/](react|react-dom|scheduler|react-router)[\\/]/,
  },
  { name: 'frame', priority: 2, test: /[\\/]app[\\/](root|routes[\\/]public[\\/]shell)\.tsx$/ },
  { name: 'listings', priority: 1, test: /[\\/]app[\\/]routes[\\/]public[\\/]properties\.tsx$/ },
  // What the home page has in common with others stays apart from it.
  { name: 'details', priority: 1, test: /[\\/]ui[\\/]detail-glyphs\.ts$/ },
  { name: 'failed', priority: 1, test: /[\\/]ui[\\/]failed-panel\.tsx$/ },
  // With the hero, which the homepage editor shows as well.
  { name: 'home', priority: 0, test: /[\\/]app[\\/]routes[\\/]public[\\/]home\.tsx$/ },
];

export default defineConfig({
  plugins: [tailwindcss(), reactRouter()],
  // Lists of what each later chunk needs weigh more on every page (R11) than they save where one is used.
  build: { assetsInlineLimit: 0, modulePreload: false },
  environments: {
    client: { build: { rolldownOptions: { output: { codeSplitting: { groups: chunks } } } } },
    // The server's main module is the bundle's entry, so that modules with state exist once per process.
    ssr: { build: { rolldownOptions: { input: './app/server/main.ts' } } },
  },
});
