/** The build and the tests hand over the text of such a file. */
declare module '*.yaml' {
  const text: string
  export default text
}
