import { AdminTable } from '#features/accounts/components/admin-table.tsx';
import { ButtonLink } from '#ui/button.tsx';
import { Carousel } from '#ui/carousel.tsx';
import { EmptyLotDrawing } from '#ui/empty-lot-drawing.tsx';
import { EmptyState } from '#ui/empty-state.tsx';
import { ErrorState } from '#ui/error-state.tsx';
import { Panel } from '#ui/panel.tsx';
import { CardSkeleton, DetailSkeleton, TextSkeleton } from '#ui/skeleton.tsx';
import { Spinner } from '#ui/spinner.tsx';
import { GallerySection } from './gallery-section.tsx';
import { illustrationUrl, type SampleCard, sampleCards, samplePictures } from './samples.ts';

export function Cards() {
  return (
    <GallerySection title="Loading and watched">
      <div className="grid4">
        <CardSkeleton />
        <CardSkeleton />
        {sampleCards.map((card) => (
          <Sample key={card.address} card={card} />
        ))}
      </div>
    </GallerySection>
  );
}

function Sample({ card }: { card: SampleCard }) {
  return (
    <article className="pcard">
      <div className="pic">
        <img src={illustrationUrl(card.kind, card.hash)} alt={card.address} width="1200" height="800" />
      </div>
      <button
        type="button"
        className="watch"
        aria-pressed={card.watched}
        aria-label={`Watch ${card.address}`}
      />
      <div className="body">
        <div className="top">
          <p className="price">{card.price}</p>
          <span className="kind">{card.kind}</span>
        </div>
        <p className="baseline">Base price {card.base}</p>
        <h3>
          <a href="#main">{card.address}</a>
        </h3>
        <p className="town">{card.town}</p>
        <div className="foot">
          <p className="facts">
            {card.facts.map((fact) => (
              <span key={fact}>{fact}</span>
            ))}
          </p>
          <span className="more">View Details</span>
        </div>
      </div>
    </article>
  );
}

export function Empties() {
  return (
    <GallerySection title="Empty and missing">
      <div className="g2">
        <EmptyState
          title="No properties available at the moment."
          text="Choose another type or clear the search."
          action={
            <ButtonLink variant="outline" to="#main">
              All Properties
            </ButtonLink>
          }
        />
        <div className="empty">
          <EmptyLotDrawing sign="question" />
          <h3 className="empty-lead">404 - Page Not Found</h3>
          <p>There is nothing staked out at this address.</p>
          <ButtonLink to="#main">Return Home</ButtonLink>
        </div>
        <Panel title="Pending Payouts" className="mt-0!">
          <ErrorState
            title="Error loading payouts"
            detail="The request took longer than ten seconds."
            retry={{ onRetry: () => undefined }}
          />
        </Panel>
        <Panel title="Administrators" className="mt-0!">
          <AdminTable admins={[]} failure={null} />
        </Panel>
        <Panel title="Text on its way" inset className="mt-0!">
          <TextSkeleton rows={4} />
          <div className="mt-6">
            <Spinner large label="Loading" />
          </div>
        </Panel>
      </div>
    </GallerySection>
  );
}

export function Pictures() {
  return (
    <GallerySection title="Pictures">
      <div className="g2">
        <Carousel images={samplePictures(4)} label="Pictures of 1170 Summit Terrace" sizes="628px">
          <button
            type="button"
            className="watch watch-lg"
            aria-pressed="false"
            aria-label="Watch 1170 Summit Terrace"
          />
        </Carousel>
        <Carousel images={samplePictures(12)} label="Twelve pictures" sizes="628px" />
        <Carousel images={samplePictures(1)} label="One picture" sizes="628px" />
        <Carousel images={[]} label="No pictures" />
      </div>
      <div className="mt-10">
        <DetailSkeleton />
      </div>
    </GallerySection>
  );
}
