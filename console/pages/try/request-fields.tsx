// The fields of a request: what is required first, what is optional behind a fold, and the body by its fields or as
// JSON.
import type { ReactNode } from 'react'
import { Button } from '../../ui/button.tsx'
import { SelectField, TextArea, TextField } from '../../ui/field.tsx'
import { Row } from '../../ui/page.tsx'
import type { FieldSpec, TriedOperation } from './description.ts'
import css from './try.module.css'
import { asJson, placeOf, wholeBody, withExamples, type Mistakes, type Written } from './try-request.ts'
import { texts } from './texts.tsx'

type Props = {
  readonly operation: TriedOperation
  readonly written: Written
  readonly mistakes: Mistakes
  readonly onWritten: (written: Written) => void
}

export function RequestFields(props: Props): ReactNode {
  const { operation, written } = props
  const inParameters = operation.fields.filter(({ place }) => place !== 'body')
  const inBody = operation.fields.filter(({ place }) => place === 'body')
  const isNeeded = ({ isRequired, place }: FieldSpec): boolean => isRequired || place === 'path'
  const others = inParameters.filter((field) => !isNeeded(field))
  return (
    <>
      {operation.fields.some(({ example }) => example !== '') && (
        <Row>
          <Button size="small" onClick={() => props.onWritten(withExamples(operation, written))}>
            {texts.fillInTheExample}
          </Button>
        </Row>
      )}
      <Fields {...props} fields={inParameters.filter(isNeeded)} />
      {others.length > 0 && <Optional {...props} title={texts.optionalParameters} fields={others} />}
      {written.json !== null ? (
        <WholeBody {...props} json={written.json} />
      ) : (
        inBody.length > 0 && (
          <fieldset className={css.body}>
            <legend>{texts.body}</legend>
            <Fields {...props} fields={inBody.filter(isNeeded)} />
            <Optional {...props} title={texts.optionalFields} fields={inBody.filter((field) => !isNeeded(field))} />
            <Row>
              <Button size="small" icon="code" onClick={() => props.onWritten(asJson(operation, written))}>
                {texts.editAsJson}
              </Button>
            </Row>
          </fieldset>
        )
      )}
    </>
  )
}

type Some = Props & { readonly fields: readonly FieldSpec[] }

const Fields = ({ fields, ...props }: Some): ReactNode =>
  fields.length > 0 && (
    <div className={css.fields}>
      {fields.map((field) => (
        <OneField key={placeOf(field)} {...props} field={field} />
      ))}
    </div>
  )

/** Open while something in it is written. */
const Optional = ({ title, fields, ...props }: Some & { readonly title: string }): ReactNode =>
  fields.length > 0 && (
    <details className={css.optional}>
      <summary>
        {title} ({fields.length})
      </summary>
      <Fields {...props} fields={fields} />
    </details>
  )

function OneField({ field, written, mistakes, onWritten }: Props & { readonly field: FieldSpec }): ReactNode {
  const { name, about, kind, choices, example } = field
  const at = placeOf(field)
  const common = {
    label: name,
    hint: about === '' ? undefined : about,
    mistake: mistakes[at],
    value: written.fields[at] ?? '',
    onValue: (text: string) => onWritten({ ...written, fields: { ...written.fields, [at]: text } }),
  }
  if (kind === 'choice' || kind === 'boolean') {
    const all = [{ value: '', label: texts.notSent }, ...choices.map((value) => ({ value, label: value }))]
    return <SelectField {...common} choices={all} />
  }
  const typing = { placeholder: example, autoComplete: 'off', autoCapitalize: 'off', spellCheck: false }
  if (kind === 'json') return <TextArea {...common} {...typing} isCode rows={3} />
  return <TextField {...common} {...typing} {...(kind === 'number' && { inputMode: 'decimal' })} />
}

const WholeBody = ({ json, operation, written, mistakes, onWritten }: Props & { readonly json: string }): ReactNode => (
  <>
    <TextArea
      label={texts.body}
      isCode
      rows={12}
      mistake={mistakes[wholeBody]}
      value={json}
      spellCheck={false}
      onValue={(text) => onWritten({ ...written, json: text })}
    />
    {operation.body.kind === 'fields' && (
      <Row>
        <Button size="small" onClick={() => onWritten({ ...written, json: null })}>
          {texts.backToTheFields}
        </Button>
      </Row>
    )}
  </>
)
