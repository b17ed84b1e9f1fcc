// Manual pages from oclif's manifest: secsctl(1), and one page for each topic, such as secsctl-equipment(1).

/** Text of a manual page: a hyphen is a minus sign, and a line that starts with a dot is no request. */
const text = (plain) =>
  plain
    .replaceAll('\\', '\\e')
    .replaceAll('-', '\\-')
    .replace(/^(?=[.'])/gm, '\\&')

const bold = (plain) => `\\fB${text(plain)}\\fR`

const heading = (title, version) =>
  `.TH ${title.toUpperCase().replaceAll('-', '\\-')} 1 "" "secsctl ${version}" "secsctl"`

const item = (term, about) => ['.TP', term, text(about)]

/** `equipment:add` as it is typed. */
const typed = (id) => `secsctl ${id.replaceAll(':', ' ')}`

function flagTerm({ name, char, type, helpValue }) {
  const short = char === undefined ? '' : `${bold(`-${char}`)}, `
  const value = type === 'option' ? ` \\fI${text(String(helpValue ?? 'VALUE'))}\\fR` : ''
  return `${short}${bold(`--${name}`)}${value}`
}

function flagAbout({ summary = '', description, options, default: given, required }) {
  const of = [
    ...(required ? ['Required.'] : []),
    ...(options ? [`One of ${options.join(', ')}.`] : []),
    ...(typeof given === 'string' || typeof given === 'number' ? [`Default: ${given}.`] : []),
  ]
  return [summary, description, ...of].filter(Boolean).join(' ').replaceAll('\n', ' ')
}

const visible = (entries) => Object.values(entries ?? {}).filter(({ hidden }) => !hidden)

function commandPart({ id, summary, description, args, flags, examples }) {
  const words = visible(args).map(({ name, required }) =>
    required ? name.toUpperCase() : `[${name.toUpperCase()}]`,
  )
  const own = visible(flags).filter(({ helpGroup }) => helpGroup !== 'GLOBAL')
  return [
    `.SS ${text([typed(id), ...words, ...(own.length > 0 ? ['[FLAGS]'] : [])].join(' '))}`,
    ...(summary ? [text(summary)] : []),
    ...(description ? ['.PP', text(description)] : []),
    ...visible(args).flatMap(({ name, description: about = '' }) =>
      item(`\\fI${text(name.toUpperCase())}\\fR`, about),
    ),
    ...own.flatMap((flag) => item(flagTerm(flag), flagAbout(flag))),
    ...(examples?.length ? ['.PP', 'Examples:', '.PP', '.nf', '.RS 4'] : []),
    ...(examples ?? []).map((example) => text(typeof example === 'string' ? example : example.command)),
    ...(examples?.length ? ['.RE', '.fi'] : []),
  ]
}

const page = (lines) => `${lines.join('\n')}\n`

/** Pages by their file names. `environment` is what `secsctl help environment` prints. */
export function manualPages({ manifest, topics, version, description, environment }) {
  const commands = Object.values(manifest.commands).filter(({ hidden }) => !hidden)
  const shown = Object.entries(topics).filter(([, { hidden }]) => !hidden)
  const alone = commands.filter(({ id }) => !id.includes(':'))
  const globals = visible(commands.find(({ id }) => id === 'equipment:list')?.flags).filter(
    ({ helpGroup }) => helpGroup === 'GLOBAL',
  )
  const pages = new Map()
  for (const [topic, { description: about = '' }] of shown) {
    const own = commands.filter(({ id }) => id.startsWith(`${topic}:`))
    const name = `secsctl-${topic}`
    pages.set(
      `${name}.1`,
      page([
        heading(name, version),
        '.SH NAME',
        `${text(name)} \\- ${text(about.replace(/\.$/, ''))}`,
        '.SH COMMANDS',
        ...own.flatMap(commandPart),
        '.SH SEE ALSO',
        `${bold('secsctl')}(1), which has the flags of every command`,
      ]),
    )
  }
  pages.set(
    'secsctl.1',
    page([
      heading('secsctl', version),
      '.SH NAME',
      'secsctl \\- a gateway for SECS/GEM equipment',
      '.SH SYNOPSIS',
      `${bold('secsctl')} \\fICOMMAND\\fR [\\fIFLAGS\\fR]`,
      '.SH DESCRIPTION',
      text(description),
      '.SH TOPICS',
      ...shown.flatMap(([topic, { description: about = '' }]) =>
        item(`${bold(`secsctl ${topic}`)}`, `${about} See secsctl-${topic}(1).`),
      ),
      '.SH COMMANDS',
      ...alone.flatMap(commandPart),
      '.SH FLAGS OF EVERY COMMAND',
      ...globals.flatMap((flag) => item(flagTerm(flag), flagAbout(flag))),
      '.SH ENVIRONMENT',
      '.nf',
      text(environment.trim()),
      '.fi',
      '.SH SEE ALSO',
      shown.map(([topic]) => `${bold(`secsctl-${topic}`)}(1)`).join(',\n'),
    ]),
  )
  return pages
}
