// The parts that a page is laid out with: its head, its sections, and facts by name.
import type { ReactNode } from 'react'
import { classNames } from './class-names.ts'
import css from './page.module.css'
import { texts } from './texts.tsx'

/** `title` is the heading and the document's title. */
export const Page = ({
  title,
  above,
  about,
  guide,
  actions,
  isNarrow = false,
  children,
}: {
  readonly title: string
  /** The way back. */
  readonly above?: ReactNode
  readonly about?: ReactNode
  /** The address of the page of the documentation that explains this one. */
  readonly guide?: string
  readonly actions?: ReactNode
  /** For forms. */
  readonly isNarrow?: boolean
  readonly children: ReactNode
}): ReactNode => (
  <div className={classNames(css.page, isNarrow && css.narrow)}>
    <title>{texts.workspaceSettings(title)}</title>
    <header className={css.head}>
      <div className={css.titles}>
        {above !== undefined && <div className={css.above}>{above}</div>}
        <h1 className={css.title}>{title}</h1>
        {about !== undefined && <p className={css.about}>{about}</p>}
        {guide !== undefined && (
          <p className={css.about}>
            <a href={guide}>{texts.documentation}</a>
          </p>
        )}
      </div>
      {actions !== undefined && <div className={css.actions}>{actions}</div>}
    </header>
    {children}
  </div>
)

export const Section = ({
  title,
  about,
  actions,
  children,
}: {
  readonly title: string
  readonly about?: ReactNode
  readonly actions?: ReactNode
  readonly children: ReactNode
}): ReactNode => (
  <section className={css.section} aria-label={title}>
    <header className={css.sectionHead}>
      <div>
        <h2 className={css.sectionTitle}>{title}</h2>
        {about !== undefined && <p className={css.about}>{about}</p>}
      </div>
      {actions !== undefined && <div className={css.actions}>{actions}</div>}
    </header>
    {children}
  </section>
)

/** Side by side on a wide page. */
export const Facts = ({
  facts,
}: {
  /** `isWide`: in a row of its own. */
  readonly facts: readonly { readonly name: string; readonly value: ReactNode; readonly isWide?: boolean }[]
}): ReactNode => (
  <dl className={css.facts}>
    {facts.map(({ name, value, isWide = false }) => (
      <div key={name} className={classNames(isWide && css.wide)}>
        <dt>{name}</dt>
        <dd>{value}</dd>
      </div>
    ))}
  </dl>
)

/** One above the other, with even gaps. */
export const Stack = ({ children }: { readonly children: ReactNode }): ReactNode => (
  <div className={css.stack}>{children}</div>
)

/** One beside the other, and below where there is no room. */
export const Row = ({ children }: { readonly children: ReactNode }): ReactNode => (
  <div className={css.row}>{children}</div>
)
