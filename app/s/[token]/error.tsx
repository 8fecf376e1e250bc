"use client";

export { ShareFault as default } from "#components/share/share-fault.tsx";
