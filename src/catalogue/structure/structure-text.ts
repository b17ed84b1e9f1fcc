import type { Structure } from './structure.js'

/** A structure in its notation: on one line where that is no longer than `width`, else a member to a line. */
export function structureText(structure: Structure, width: number): string {
  const line = onOneLine(structure)
  return line.length <= width ? line : onLines(structure, width)
}

function onOneLine(structure: Structure): string {
  switch (structure.kind) {
    case 'nothing':
      return ''
    case 'item':
      return `<${structure.name}${structure.many ? '...' : ''}>`
    case 'items':
      return `<L <${structure.name}>...>`
    case 'group':
      return `<L ${structure.name}... ${onOneLine(structure.member)}>`
    case 'list':
      return `<${[listHead(structure), ...structure.members.map(onOneLine)].join(' ')}>`
    case 'choice':
      return `(${structure.alternatives.map(onOneLine).join(' | ')})`
  }
}

function onLines(structure: Structure, width: number): string {
  const inside = (member: Structure): string => indented(structureText(member, width - INDENT.length))
  switch (structure.kind) {
    case 'group':
      return `<L ${structure.name}...\n${inside(structure.member)}\n>`
    case 'list':
      return `<${[listHead(structure), ...structure.members.map(inside)].join('\n')}\n>`
    case 'choice':
      return `(\n${structure.alternatives.map(inside).join('\n|\n')}\n)`
    default:
      return onOneLine(structure)
  }
}

const INDENT = '  '

const indented = (text: string): string => text.replace(/^/gm, INDENT)

const listHead = ({ mayBeEmpty }: { readonly mayBeEmpty: boolean }): string => (mayBeEmpty ? 'L?' : 'L')
