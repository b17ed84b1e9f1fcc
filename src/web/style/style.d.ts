/** A style sheet, which the build adds to the page. */
declare module '*.css'
