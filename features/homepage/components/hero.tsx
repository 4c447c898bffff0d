import type { ReactNode } from 'react';
import { Form, Link } from 'react-router';
import { SearchCombobox } from '#features/search/components/search-combobox.tsx';
import { paths } from '#routing/paths.ts';
import { ArrowDown } from '#ui/arrow-glyphs.ts';
import { Button } from '#ui/button.tsx';
import { Search } from '#ui/glyphs.ts';
import { Icon } from '#ui/icon.tsx';
import type { HomepageContent } from '../model.ts';
import { HeroPicture } from './hero-picture.tsx';

interface HeroProps {
  content: HomepageContent;
  /** whether there are featured properties further down */
  featured: boolean;
  children?: ReactNode;
}

/** The top of the home page: title, subtitle, and the picture with the search on its lower edge. */
export function Hero({ content: { title, subtitle, image }, featured, children }: HeroProps) {
  return (
    <section className="hero">
      <div className="hero-lines">
        <h1>{title}</h1>
        <div>
          <p className="hero-sub">{subtitle}</p>
          {featured && (
            <Link className="link hero-featured" to={paths.featured()}>
              Featured Properties
              <Icon of={ArrowDown} size={16} />
            </Link>
          )}
        </div>
      </div>
      <div className="stage">
        <HeroPicture image={image} />
        <search>
          <Form method="get" action={paths.properties()} className="herosearch">
            <Icon of={Search} size={20} />
            <SearchCombobox />
            <Button type="submit" size="lg">
              Search
            </Button>
          </Form>
        </search>
      </div>
      {children}
    </section>
  );
}
