import { referredPart } from '../../contract/referred-part.js'
import type { JsonObject } from '../../kit/text/json.js'

interface Shape {
  readonly $ref?: string
  readonly type?: string
  readonly enum?: readonly unknown[]
  readonly format?: string
  readonly minimum?: number
  readonly maximum?: number
  readonly description?: string
  readonly items?: Shape
  readonly anyOf?: readonly Shape[]
  readonly oneOf?: readonly Shape[]
  readonly properties?: Readonly<Record<string, Shape>>
  readonly required?: readonly string[]
}
interface Content {
  readonly content?: Readonly<Record<string, { readonly schema: Shape; readonly example?: JsonObject }>>
}
interface Parameter {
  readonly name: string
  readonly in: string
  readonly required?: boolean
  readonly description?: string
  readonly schema: Shape
}
interface Reference {
  readonly $ref: string
}
interface Response extends Content {
  readonly description: string
}
interface Operation {
  readonly operationId: string
  readonly tags: readonly string[]
  readonly summary: string
  readonly description?: string
  readonly parameters?: readonly (Parameter | Reference)[]
  readonly requestBody?: Content
  readonly responses: Readonly<Record<string, Response | Reference>>
}
interface Document {
  readonly info: { readonly title: string; readonly version: string; readonly description: string }
  readonly tags: readonly { readonly name: string; readonly description: string }[]
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>
  readonly components: { readonly schemas: Readonly<Record<string, Shape>> }
}

const ENTITIES: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' }
const escaped = (text: string): string => text.replace(/[&<>"]/g, (mark) => ENTITIES[mark] ?? mark)
/** Text with its code in backquotes and its empty lines, as HTML. */
const prose = (text: string): string =>
  escaped(text)
    .replace(/`([^`]+)`/g, '<code>$1</code>')
    .replace(/\n\n/g, '<br>')

const nameOf = (ref: string): string => ref.slice(ref.lastIndexOf('/') + 1)

function kindOf(shape: Shape): string {
  if (shape.$ref) return `<a href="#${nameOf(shape.$ref)}">${nameOf(shape.$ref)}</a>`
  if (shape.enum) return shape.enum.map((value) => `<code>${escaped(String(value))}</code>`).join(' ')
  const several = shape.oneOf ?? shape.anyOf
  if (several) return several.map(kindOf).join(' or ')
  if (shape.type === 'array') return `array of ${kindOf(shape.items ?? {})}`
  const range = shape.minimum === undefined ? '' : ` ${shape.minimum} to ${shape.maximum ?? '…'}`
  return escaped(`${shape.type ?? 'anything'}${shape.format ? ` (${shape.format})` : ''}${range}`)
}

const row = (cells: readonly string[]): string =>
  `<tr>${cells.map((cell) => `<td>${cell}</td>`).join('')}</tr>`
const table = (rows: readonly string[]): string =>
  rows.length === 0 ? '' : `<table>${rows.join('')}</table>`

const fields = (shape: Shape): string =>
  (shape.oneOf ? `<p>${kindOf(shape)}</p>` : '') +
  table(
    Object.entries(shape.properties ?? {}).map(([name, field]) =>
      row([
        `<code>${escaped(name)}</code>${shape.required?.includes(name) ? ' <b>*</b>' : ''}`,
        kindOf(field),
        prose(field.description ?? ''),
      ]),
    ),
  )

const parameterRow = (given: Parameter): string =>
  row([
    `<code>${escaped(given.name)}</code>${given.required ? ' <b>*</b>' : ''}`,
    given.in,
    kindOf(given.schema),
    prose(given.description ?? ''),
  ])

function body({ content = {} }: Content): string {
  return Object.values(content)
    .map(({ schema, example }) => {
      const sample = example ? `<pre>${escaped(JSON.stringify(example, null, 2))}</pre>` : ''
      return `<p>Body: ${kindOf(schema)}</p>${sample}`
    })
    .join('')
}

function operationSection(document: Document, method: string, path: string, operation: Operation): string {
  const parameters = (operation.parameters ?? []).map((each) => referredPart<Parameter>(document, each))
  const answers = Object.entries(operation.responses).map(([status, given]) => {
    const answer = referredPart<Response>(document, given)
    const kinds = Object.values(answer.content ?? {}).map(({ schema }) => kindOf(schema))
    return row([`<b>${status}</b>`, prose(answer.description), kinds.join(' ')])
  })
  return `<details id="${operation.operationId}"><summary><b>${method.toUpperCase()}</b> <code>${escaped(path)}</code> ${escaped(operation.summary)}</summary>
<p>${prose(operation.description ?? '')}</p>${table(parameters.map(parameterRow))}${operation.requestBody ? body(operation.requestBody) : ''}<h4>Answers</h4>${table(answers)}</details>`
}

const STYLE =
  'body{font:15px/1.5 system-ui,sans-serif;max-width:62rem;margin:2rem auto;padding:0 1rem;color:#1b1f24;background:#fff}' +
  'table{border-collapse:collapse;width:100%}td{border-top:1px solid #d0d7de;padding:.25rem .5rem;vertical-align:top}' +
  'details{border:1px solid #d0d7de;border-radius:6px;margin:.4rem 0;padding:.4rem .8rem}summary{cursor:pointer}' +
  'code,pre{font:13px ui-monospace,monospace;background:#f3f5f7;border-radius:4px;padding:0 .2rem}pre{padding:.6rem;overflow:auto}' +
  '@media(prefers-color-scheme:dark){body{color:#e6edf3;background:#0d1117}code,pre{background:#1c222b}td,details{border-color:#30363d}a{color:#79b8ff}}'

/** The OpenAPI document as one HTML page that loads nothing: no script, no font, no picture. */
export function docsPage(openApi: JsonObject): string {
  const document = openApi as unknown as Document
  const operations = Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ method, path, operation })),
  )
  const sections = document.tags.map(({ name, description }) => {
    const own = operations.filter(({ operation }) => operation.tags.includes(name))
    const rows = own.map(({ method, path, operation }) => operationSection(document, method, path, operation))
    return `<h2>${escaped(name)}</h2><p>${prose(description)}</p>${rows.join('\n')}`
  })
  const schemas = Object.entries(document.components.schemas).map(
    ([name, shape]) => `<details id="${name}"><summary><b>${name}</b></summary>${fields(shape)}</details>`,
  )
  const { title, version, description } = document.info
  return `<!doctype html><html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>${escaped(title)} ${escaped(version)}</title><style>${STYLE}</style></head><body><h1>${escaped(title)} <small>${escaped(version)}</small></h1><p>${escaped(description)} The same as OpenAPI 3.0: ask for <code>Accept: application/json</code>. <a href="/api">With search, and a form that tries each call</a>.</p>${sections.join('\n')}<h2>Schemas</h2>${schemas.join('\n')}</body></html>
`
}
