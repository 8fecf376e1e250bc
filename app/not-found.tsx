export { default, metadata } from "./(fleet)/not-found.tsx";
