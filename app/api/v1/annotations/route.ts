export {
  createAnnotationRoute as POST,
  listAnnotationsRoute as GET,
} from "#lib/server/http/routes/annotations.ts";
