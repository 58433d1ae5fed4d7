// One thing alone in the middle of the page.
import type { ReactNode } from 'react'
import css from './card.module.css'
import { texts } from './texts.tsx'

export const Card = ({
  title,
  about,
  guide,
  children,
}: {
  readonly title: string
  readonly about?: ReactNode
  /** The address of the page of the documentation that explains this one. */
  readonly guide?: string
  readonly children: ReactNode
}): ReactNode => (
  <div className={css.place}>
    <title>{texts.workspaceSettings(title)}</title>
    <div className={css.card}>
      <h1 className={css.title}>{title}</h1>
      {about !== undefined && <p className={css.about}>{about}</p>}
      {children}
      {guide !== undefined && (
        <p className={css.guide}>
          <a href={guide}>{texts.documentation}</a>
        </p>
      )}
    </div>
  </div>
)
