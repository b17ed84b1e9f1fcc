import { Document, isCollection, isMap, isScalar, isSeq, visit } from 'yaml'
import type { FormattedProgram } from '../../contract/topics/recipes.js'
import type { WantedReports } from '../../contract/topics/reports.js'
import { FOR_OLD_READERS } from '../../kit/text/yaml-for-old-readers.js'

/** A definition as the YAML that a person edits and `apply` or `store` takes: a list of plain values on one line. */
export function definitionText(definition: WantedReports | FormattedProgram): string {
  const document = new Document(definition, FOR_OLD_READERS)
  visit(document, {
    Seq(_, list) {
      if (list.items.every(isScalar)) list.flow = true
    },
    Pair(_, { key, value }) {
      if (String(key) === 'parameters' && isSeq(value)) {
        for (const parameter of value.items) if (isCollection(parameter)) parameter.flow = true
      }
    },
  })
  return document.toString({ lineWidth: 100, flowCollectionPadding: false })
}

/** Any document as YAML: rows of a list, and lists of plain values, are on one line each. */
export function documentText(value: object): string {
  const document = new Document(value, FOR_OLD_READERS)
  visit(document, {
    Seq(_, list) {
      for (const row of list.items) if (isMap(row)) row.flow = true
      if (list.items.every(isScalar)) list.flow = true
    },
  })
  return document.toString({ lineWidth: 0, flowCollectionPadding: true })
}
