var Fe=globalThis,He=Fe.ShadowRoot&&(Fe.ShadyCSS===void 0||Fe.ShadyCSS.nativeShadow)&&"adoptedStyleSheets"in Document.prototype&&"replace"in CSSStyleSheet.prototype,Ft=Symbol(),Rn=new WeakMap,Ce=class{constructor(e,n,i){if(this._$cssResult$=!0,i!==Ft)throw Error("CSSResult is not constructable. Use `unsafeCSS` or `css` instead.");this.cssText=e,this.t=n}get styleSheet(){let e=this.o,n=this.t;if(He&&e===void 0){let i=n!==void 0&&n.length===1;i&&(e=Rn.get(n)),e===void 0&&((this.o=e=new CSSStyleSheet).replaceSync(this.cssText),i&&Rn.set(n,e))}return e}toString(){return this.cssText}},Pn=t=>new Ce(typeof t=="string"?t:t+"",void 0,Ft),_=(t,...e)=>{let n=t.length===1?t[0]:e.reduce((i,s,r)=>i+(a=>{if(a._$cssResult$===!0)return a.cssText;if(typeof a=="number")return a;throw Error("Value passed to 'css' function must be a 'css' function result: "+a+". Use 'unsafeCSS' to pass non-literal values, but take care to ensure page security.")})(s)+t[r+1],t[0]);return new Ce(n,t,Ft)},Mn=(t,e)=>{if(He)t.adoptedStyleSheets=e.map(n=>n instanceof CSSStyleSheet?n:n.styleSheet);else for(let n of e){let i=document.createElement("style"),s=Fe.litNonce;s!==void 0&&i.setAttribute("nonce",s),i.textContent=n.cssText,t.appendChild(i)}},Ht=He?t=>t:t=>t instanceof CSSStyleSheet?(e=>{let n="";for(let i of e.cssRules)n+=i.cssText;return Pn(n)})(t):t;var{is:Ts,defineProperty:Ss,getOwnPropertyDescriptor:Es,getOwnPropertyNames:As,getOwnPropertySymbols:Bs,getPrototypeOf:Rs}=Object,Je=globalThis,In=Je.trustedTypes,Ps=In?In.emptyScript:"",Ms=Je.reactiveElementPolyfillSupport,Te=(t,e)=>t,Jt={toAttribute(t,e){switch(e){case Boolean:t=t?Ps:null;break;case Object:case Array:t=t==null?t:JSON.stringify(t)}return t},fromAttribute(t,e){let n=t;switch(e){case Boolean:n=t!==null;break;case Number:n=t===null?null:Number(t);break;case Object:case Array:try{n=JSON.parse(t)}catch{n=null}}return n}},Ln=(t,e)=>!Ts(t,e),On={attribute:!0,type:String,converter:Jt,reflect:!1,useDefault:!1,hasChanged:Ln};Symbol.metadata??=Symbol("metadata"),Je.litPropertyMetadata??=new WeakMap;var q=class extends HTMLElement{static addInitializer(e){this._$Ei(),(this.l??=[]).push(e)}static get observedAttributes(){return this.finalize(),this._$Eh&&[...this._$Eh.keys()]}static createProperty(e,n=On){if(n.state&&(n.attribute=!1),this._$Ei(),this.prototype.hasOwnProperty(e)&&((n=Object.create(n)).wrapped=!0),this.elementProperties.set(e,n),!n.noAccessor){let i=Symbol(),s=this.getPropertyDescriptor(e,i,n);s!==void 0&&Ss(this.prototype,e,s)}}static getPropertyDescriptor(e,n,i){let{get:s,set:r}=Es(this.prototype,e)??{get(){return this[n]},set(a){this[n]=a}};return{get:s,set(a){let c=s?.call(this);r?.call(this,a),this.requestUpdate(e,c,i)},configurable:!0,enumerable:!0}}static getPropertyOptions(e){return this.elementProperties.get(e)??On}static _$Ei(){if(this.hasOwnProperty(Te("elementProperties")))return;let e=Rs(this);e.finalize(),e.l!==void 0&&(this.l=[...e.l]),this.elementProperties=new Map(e.elementProperties)}static finalize(){if(this.hasOwnProperty(Te("finalized")))return;if(this.finalized=!0,this._$Ei(),this.hasOwnProperty(Te("properties"))){let n=this.properties,i=[...As(n),...Bs(n)];for(let s of i)this.createProperty(s,n[s])}let e=this[Symbol.metadata];if(e!==null){let n=litPropertyMetadata.get(e);if(n!==void 0)for(let[i,s]of n)this.elementProperties.set(i,s)}this._$Eh=new Map;for(let[n,i]of this.elementProperties){let s=this._$Eu(n,i);s!==void 0&&this._$Eh.set(s,n)}this.elementStyles=this.finalizeStyles(this.styles)}static finalizeStyles(e){let n=[];if(Array.isArray(e)){let i=new Set(e.flat(1/0).reverse());for(let s of i)n.unshift(Ht(s))}else e!==void 0&&n.push(Ht(e));return n}static _$Eu(e,n){let i=n.attribute;return i===!1?void 0:typeof i=="string"?i:typeof e=="string"?e.toLowerCase():void 0}constructor(){super(),this._$Ep=void 0,this.isUpdatePending=!1,this.hasUpdated=!1,this._$Em=null,this._$Ev()}_$Ev(){this._$ES=new Promise(e=>this.enableUpdating=e),this._$AL=new Map,this._$E_(),this.requestUpdate(),this.constructor.l?.forEach(e=>e(this))}addController(e){(this._$EO??=new Set).add(e),this.renderRoot!==void 0&&this.isConnected&&e.hostConnected?.()}removeController(e){this._$EO?.delete(e)}_$E_(){let e=new Map,n=this.constructor.elementProperties;for(let i of n.keys())this.hasOwnProperty(i)&&(e.set(i,this[i]),delete this[i]);e.size>0&&(this._$Ep=e)}createRenderRoot(){let e=this.shadowRoot??this.attachShadow(this.constructor.shadowRootOptions);return Mn(e,this.constructor.elementStyles),e}connectedCallback(){this.renderRoot??=this.createRenderRoot(),this.enableUpdating(!0),this._$EO?.forEach(e=>e.hostConnected?.())}enableUpdating(e){}disconnectedCallback(){this._$EO?.forEach(e=>e.hostDisconnected?.())}attributeChangedCallback(e,n,i){this._$AK(e,i)}_$ET(e,n){let i=this.constructor.elementProperties.get(e),s=this.constructor._$Eu(e,i);if(s!==void 0&&i.reflect===!0){let r=(i.converter?.toAttribute!==void 0?i.converter:Jt).toAttribute(n,i.type);this._$Em=e,r==null?this.removeAttribute(s):this.setAttribute(s,r),this._$Em=null}}_$AK(e,n){let i=this.constructor,s=i._$Eh.get(e);if(s!==void 0&&this._$Em!==s){let r=i.getPropertyOptions(s),a=typeof r.converter=="function"?{fromAttribute:r.converter}:r.converter?.fromAttribute!==void 0?r.converter:Jt;this._$Em=s;let c=a.fromAttribute(n,r.type);this[s]=c??this._$Ej?.get(s)??c,this._$Em=null}}requestUpdate(e,n,i,s=!1,r){if(e!==void 0){let a=this.constructor;if(s===!1&&(r=this[e]),i??=a.getPropertyOptions(e),!((i.hasChanged??Ln)(r,n)||i.useDefault&&i.reflect&&r===this._$Ej?.get(e)&&!this.hasAttribute(a._$Eu(e,i))))return;this.C(e,n,i)}this.isUpdatePending===!1&&(this._$ES=this._$EP())}C(e,n,{useDefault:i,reflect:s,wrapped:r},a){i&&!(this._$Ej??=new Map).has(e)&&(this._$Ej.set(e,a??n??this[e]),r!==!0||a!==void 0)||(this._$AL.has(e)||(this.hasUpdated||i||(n=void 0),this._$AL.set(e,n)),s===!0&&this._$Em!==e&&(this._$Eq??=new Set).add(e))}async _$EP(){this.isUpdatePending=!0;try{await this._$ES}catch(n){Promise.reject(n)}let e=this.scheduleUpdate();return e!=null&&await e,!this.isUpdatePending}scheduleUpdate(){return this.performUpdate()}performUpdate(){if(!this.isUpdatePending)return;if(!this.hasUpdated){if(this.renderRoot??=this.createRenderRoot(),this._$Ep){for(let[s,r]of this._$Ep)this[s]=r;this._$Ep=void 0}let i=this.constructor.elementProperties;if(i.size>0)for(let[s,r]of i){let{wrapped:a}=r,c=this[s];a!==!0||this._$AL.has(s)||c===void 0||this.C(s,void 0,r,c)}}let e=!1,n=this._$AL;try{e=this.shouldUpdate(n),e?(this.willUpdate(n),this._$EO?.forEach(i=>i.hostUpdate?.()),this.update(n)):this._$EM()}catch(i){throw e=!1,this._$EM(),i}e&&this._$AE(n)}willUpdate(e){}_$AE(e){this._$EO?.forEach(n=>n.hostUpdated?.()),this.hasUpdated||(this.hasUpdated=!0,this.firstUpdated(e)),this.updated(e)}_$EM(){this._$AL=new Map,this.isUpdatePending=!1}get updateComplete(){return this.getUpdateComplete()}getUpdateComplete(){return this._$ES}shouldUpdate(e){return!0}update(e){this._$Eq&&=this._$Eq.forEach(n=>this._$ET(n,this[n])),this._$EM()}updated(e){}firstUpdated(e){}};q.elementStyles=[],q.shadowRootOptions={mode:"open"},q[Te("elementProperties")]=new Map,q[Te("finalized")]=new Map,Ms?.({ReactiveElement:q}),(Je.reactiveElementVersions??=[]).push("2.1.2");var jt=globalThis,Dn=t=>t,We=jt.trustedTypes,qn=We?We.createPolicy("lit-html",{createHTML:t=>t}):void 0,zt="$lit$",N=`lit$${Math.random().toFixed(9).slice(2)}$`,Kt="?"+N,Is=`<${Kt}>`,te=document,Ee=()=>te.createComment(""),Ae=t=>t===null||typeof t!="object"&&typeof t!="function",Gt=Array.isArray,Wn=t=>Gt(t)||typeof t?.[Symbol.iterator]=="function",Wt=`[ 	
\f\r]`,Se=/<(?:(!--|\/[^a-zA-Z])|(\/?[a-zA-Z][^>\s]*)|(\/?$))/g,Nn=/-->/g,Un=/>/g,X=RegExp(`>|${Wt}(?:([^\\s"'>=/]+)(${Wt}*=${Wt}*(?:[^ 	
\f\r"'\`<>=]|("|')|))|$)`,"g"),Fn=/'/g,Hn=/"/g,jn=/^(?:script|style|textarea|title)$/i,Vt=t=>(e,...n)=>({_$litType$:t,strings:e,values:n}),o=Vt(1),S=Vt(2),Fo=Vt(3),P=Symbol.for("lit-noChange"),l=Symbol.for("lit-nothing"),Jn=new WeakMap,ee=te.createTreeWalker(te,129);function zn(t,e){if(!Gt(t)||!t.hasOwnProperty("raw"))throw Error("invalid template strings array");return qn!==void 0?qn.createHTML(e):e}var Kn=(t,e)=>{let n=t.length-1,i=[],s,r=e===2?"<svg>":e===3?"<math>":"",a=Se;for(let c=0;c<n;c++){let u=t[c],m,f,g=-1,T=0;for(;T<u.length&&(a.lastIndex=T,f=a.exec(u),f!==null);)T=a.lastIndex,a===Se?f[1]==="!--"?a=Nn:f[1]!==void 0?a=Un:f[2]!==void 0?(jn.test(f[2])&&(s=RegExp("</"+f[2],"g")),a=X):f[3]!==void 0&&(a=X):a===X?f[0]===">"?(a=s??Se,g=-1):f[1]===void 0?g=-2:(g=a.lastIndex-f[2].length,m=f[1],a=f[3]===void 0?X:f[3]==='"'?Hn:Fn):a===Hn||a===Fn?a=X:a===Nn||a===Un?a=Se:(a=X,s=void 0);let C=a===X&&t[c+1].startsWith("/>")?" ":"";r+=a===Se?u+Is:g>=0?(i.push(m),u.slice(0,g)+zt+u.slice(g)+N+C):u+N+(g===-2?c:C)}return[zn(t,r+(t[n]||"<?>")+(e===2?"</svg>":e===3?"</math>":"")),i]},Be=class t{constructor({strings:e,_$litType$:n},i){let s;this.parts=[];let r=0,a=0,c=e.length-1,u=this.parts,[m,f]=Kn(e,n);if(this.el=t.createElement(m,i),ee.currentNode=this.el.content,n===2||n===3){let g=this.el.content.firstChild;g.replaceWith(...g.childNodes)}for(;(s=ee.nextNode())!==null&&u.length<c;){if(s.nodeType===1){if(s.hasAttributes())for(let g of s.getAttributeNames())if(g.endsWith(zt)){let T=f[a++],C=s.getAttribute(g).split(N),A=/([.?@])?(.*)/.exec(T);u.push({type:1,index:r,name:A[2],strings:C,ctor:A[1]==="."?ze:A[1]==="?"?Ke:A[1]==="@"?Ge:ie}),s.removeAttribute(g)}else g.startsWith(N)&&(u.push({type:6,index:r}),s.removeAttribute(g));if(jn.test(s.tagName)){let g=s.textContent.split(N),T=g.length-1;if(T>0){s.textContent=We?We.emptyScript:"";for(let C=0;C<T;C++)s.append(g[C],Ee()),ee.nextNode(),u.push({type:2,index:++r});s.append(g[T],Ee())}}}else if(s.nodeType===8)if(s.data===Kt)u.push({type:2,index:r});else{let g=-1;for(;(g=s.data.indexOf(N,g+1))!==-1;)u.push({type:7,index:r}),g+=N.length-1}r++}}static createElement(e,n){let i=te.createElement("template");return i.innerHTML=e,i}};function ne(t,e,n=t,i){if(e===P)return e;let s=i!==void 0?n._$Co?.[i]:n._$Cl,r=Ae(e)?void 0:e._$litDirective$;return s?.constructor!==r&&(s?._$AO?.(!1),r===void 0?s=void 0:(s=new r(t),s._$AT(t,n,i)),i!==void 0?(n._$Co??=[])[i]=s:n._$Cl=s),s!==void 0&&(e=ne(t,s._$AS(t,e.values),s,i)),e}var je=class{constructor(e,n){this._$AV=[],this._$AN=void 0,this._$AD=e,this._$AM=n}get parentNode(){return this._$AM.parentNode}get _$AU(){return this._$AM._$AU}u(e){let{el:{content:n},parts:i}=this._$AD,s=(e?.creationScope??te).importNode(n,!0);ee.currentNode=s;let r=ee.nextNode(),a=0,c=0,u=i[0];for(;u!==void 0;){if(a===u.index){let m;u.type===2?m=new ue(r,r.nextSibling,this,e):u.type===1?m=new u.ctor(r,u.name,u.strings,this,e):u.type===6&&(m=new Ve(r,this,e)),this._$AV.push(m),u=i[++c]}a!==u?.index&&(r=ee.nextNode(),a++)}return ee.currentNode=te,s}p(e){let n=0;for(let i of this._$AV)i!==void 0&&(i.strings!==void 0?(i._$AI(e,i,n),n+=i.strings.length-2):i._$AI(e[n])),n++}},ue=class t{get _$AU(){return this._$AM?._$AU??this._$Cv}constructor(e,n,i,s){this.type=2,this._$AH=l,this._$AN=void 0,this._$AA=e,this._$AB=n,this._$AM=i,this.options=s,this._$Cv=s?.isConnected??!0}get parentNode(){let e=this._$AA.parentNode,n=this._$AM;return n!==void 0&&e?.nodeType===11&&(e=n.parentNode),e}get startNode(){return this._$AA}get endNode(){return this._$AB}_$AI(e,n=this){e=ne(this,e,n),Ae(e)?e===l||e==null||e===""?(this._$AH!==l&&this._$AR(),this._$AH=l):e!==this._$AH&&e!==P&&this._(e):e._$litType$!==void 0?this.$(e):e.nodeType!==void 0?this.T(e):Wn(e)?this.k(e):this._(e)}O(e){return this._$AA.parentNode.insertBefore(e,this._$AB)}T(e){this._$AH!==e&&(this._$AR(),this._$AH=this.O(e))}_(e){this._$AH!==l&&Ae(this._$AH)?this._$AA.nextSibling.data=e:this.T(te.createTextNode(e)),this._$AH=e}$(e){let{values:n,_$litType$:i}=e,s=typeof i=="number"?this._$AC(e):(i.el===void 0&&(i.el=Be.createElement(zn(i.h,i.h[0]),this.options)),i);if(this._$AH?._$AD===s)this._$AH.p(n);else{let r=new je(s,this),a=r.u(this.options);r.p(n),this.T(a),this._$AH=r}}_$AC(e){let n=Jn.get(e.strings);return n===void 0&&Jn.set(e.strings,n=new Be(e)),n}k(e){Gt(this._$AH)||(this._$AH=[],this._$AR());let n=this._$AH,i,s=0;for(let r of e)s===n.length?n.push(i=new t(this.O(Ee()),this.O(Ee()),this,this.options)):i=n[s],i._$AI(r),s++;s<n.length&&(this._$AR(i&&i._$AB.nextSibling,s),n.length=s)}_$AR(e=this._$AA.nextSibling,n){for(this._$AP?.(!1,!0,n);e!==this._$AB;){let i=Dn(e).nextSibling;Dn(e).remove(),e=i}}setConnected(e){this._$AM===void 0&&(this._$Cv=e,this._$AP?.(e))}},ie=class{get tagName(){return this.element.tagName}get _$AU(){return this._$AM._$AU}constructor(e,n,i,s,r){this.type=1,this._$AH=l,this._$AN=void 0,this.element=e,this.name=n,this._$AM=s,this.options=r,i.length>2||i[0]!==""||i[1]!==""?(this._$AH=Array(i.length-1).fill(new String),this.strings=i):this._$AH=l}_$AI(e,n=this,i,s){let r=this.strings,a=!1;if(r===void 0)e=ne(this,e,n,0),a=!Ae(e)||e!==this._$AH&&e!==P,a&&(this._$AH=e);else{let c=e,u,m;for(e=r[0],u=0;u<r.length-1;u++)m=ne(this,c[i+u],n,u),m===P&&(m=this._$AH[u]),a||=!Ae(m)||m!==this._$AH[u],m===l?e=l:e!==l&&(e+=(m??"")+r[u+1]),this._$AH[u]=m}a&&!s&&this.j(e)}j(e){e===l?this.element.removeAttribute(this.name):this.element.setAttribute(this.name,e??"")}},ze=class extends ie{constructor(){super(...arguments),this.type=3}j(e){this.element[this.name]=e===l?void 0:e}},Ke=class extends ie{constructor(){super(...arguments),this.type=4}j(e){this.element.toggleAttribute(this.name,!!e&&e!==l)}},Ge=class extends ie{constructor(e,n,i,s,r){super(e,n,i,s,r),this.type=5}_$AI(e,n=this){if((e=ne(this,e,n,0)??l)===P)return;let i=this._$AH,s=e===l&&i!==l||e.capture!==i.capture||e.once!==i.once||e.passive!==i.passive,r=e!==l&&(i===l||s);s&&this.element.removeEventListener(this.name,this,i),r&&this.element.addEventListener(this.name,this,e),this._$AH=e}handleEvent(e){typeof this._$AH=="function"?this._$AH.call(this.options?.host??this.element,e):this._$AH.handleEvent(e)}},Ve=class{constructor(e,n,i){this.element=e,this.type=6,this._$AN=void 0,this._$AM=n,this.options=i}get _$AU(){return this._$AM._$AU}_$AI(e){ne(this,e)}},Gn={M:zt,P:N,A:Kt,C:1,L:Kn,R:je,D:Wn,V:ne,I:ue,H:ie,N:Ke,U:Ge,B:ze,F:Ve},Os=jt.litHtmlPolyfillSupport;Os?.(Be,ue),(jt.litHtmlVersions??=[]).push("3.3.3");var Vn=(t,e,n)=>{let i=n?.renderBefore??e,s=i._$litPart$;if(s===void 0){let r=n?.renderBefore??null;i._$litPart$=s=new ue(e.insertBefore(Ee(),r),r,void 0,n??{})}return s._$AI(t),s};var Qt=globalThis,y=class extends q{constructor(){super(...arguments),this.renderOptions={host:this},this._$Do=void 0}createRenderRoot(){let e=super.createRenderRoot();return this.renderOptions.renderBefore??=e.firstChild,e}update(e){let n=this.render();this.hasUpdated||(this.renderOptions.isConnected=this.isConnected),super.update(e),this._$Do=Vn(n,this.renderRoot,this.renderOptions)}connectedCallback(){super.connectedCallback(),this._$Do?.setConnected(!0)}disconnectedCallback(){super.disconnectedCallback(),this._$Do?.setConnected(!1)}render(){return P}};y._$litElement$=!0,y.finalized=!0,Qt.litElementHydrateSupport?.({LitElement:y});var Ls=Qt.litElementPolyfillSupport;Ls?.({LitElement:y});(Qt.litElementVersions??=[]).push("4.2.2");var Qn="AbGdRbIMByWFWBbOCGEHBBBUBiVCgKBbMCbYCDBcDIbBEGRWBhKBbWCcHCdXOcHCbXCPBbCCBBLFbFJcWBgFBICCCWBHBBDECJCCCEIBECBFCZCDBGECCWBHBCBCBCCBBFECCDDBHEBBHRKDBJBDBWBHBCBFCKBDBDCBPECMHHBDBICCCWBHBCBFCJCCCDHDECBFCSKCBGDDBEDCBBBCDCDDDMEFDDBECBGBOVFNBDBXBQCJBDBEHCBDCBCECKHWBDBXBKBFCJBDBEHCGCBECKBDMNBDBbZBDBGEQCbABDBSDYBJBBCHDBEGBBBIGKCDMcGEbDbLCBBBFBYBBBXCFBBBHBKCEbGcUBbKEbNBbKBPBNbLhQBBFBCfNCiYBECHBBBECbPBECbHBECHBBBECPBcFBECcPCbGDbAGdICGCyQBbCDdLHWJYJUMNBDBCMcACbOCKGKGLFKGdLHbRFcSKbFBMEMEBDbQCFLbSEbAGLDcKCcNBbDCLGKGOCOBQbXcZDbVBeMIcIDPDcIHbRCLIEBNHSFuOCGCbMCGCIBBBBBBBbFCcBBPBOCGBTCDBJRYIbVRCCbBBNDbHPCCEDCEBFDCFPfKEzNZLVbjSBbhZCbGBnLFbTBBFBCcEHCOYJHBHBHBHBHBHBHBHBeWbIbABdLMiGbAMFcKCdICdZFbRBbZBbQBdGMbVBbriRDcDJnKUbWDfDIhVFCBBBFYcHDKGcEIcSIMGeMLbEDdABLEbHBcDJOCKCdZYbCKGCGCGJHBHBcIEeWCKGqnSMXEbXmnCoCCeCbMHMFFbABFBBBCBCBeVQrDCcCHBbGQQKGbZBTBEEFBfFEgDBbEDGCGCGCDDHBHOBCMBbABTBCBPCObIeTFDEbTDdKBNDBbVbUfAbDDbXPbCEbKJbEFbRFbEBbLEObQgCCKGbKEbKEbOIcALMBPBHBCBLBPBHBCcPlZJWKIYGBbQBJcRGCBBbSBCDBCXBcUIJbWTBCFbHDbBFBcMcEEUCbYBCFIBDBbDCBBBEKHJHcMbGbNEMJcCDbDCbBFbAHEMHdCcVcDbZNbZHbUIKlIbFBbQBDCCcXbRIbQWbAbMbCUXJdAEbKJcKBFNZHKGcBBSIbNJdSBULSBbVcKHBBBEBPBLGcHFKGEBICCCWBHBCBFBKCCCDCBGBFHCHDFfJdOBFbEcUIKgKcCCbMbIcRLKGNTcGGKcCbBCPEXhDcIdWdFMICBCIBCBbEBCCMJKcSICbUCLbBcUIdFNcVHKjMJBbTBOKbDDbGCWBOcVHBCBbSDBBCBJIKGGBCBbLBCBGHKlYZHRBbPDbCdIBPbYNbjNdYeHBFLhOdxKdVNbpGQBCTfyGwLmuBvXHbFBKEdDBKGbEHBKcSKKBHBVFTbaMdNdXcXEcFHRcMEMCOjcAIbvQbQJnfREBHBCBlFPBbDDCBOEIpGdkUeDFNDJHKCCBBgyYbUCXJeMcIjMKbNCbWBNDJIeIVcSeSUMUMdJJZfFdHBcTBCCBCCCEBMBBBHBcNBECIBHBbCBEBFBBDHBnCClGCbbAPFBPbqMbFGGiFHBRCHBCBFFcKbHBeIbTDOCKECmIbFRcGFBrWbQbcOHBEBCBPBhPCQbPcYEKECbeFcQcYcJhMEBbBBCBBCBBKBEBBBBGBEBBBBBBDBCBBCBBBBBBBBBBCBBCEBHBEBEBBBKBRFDBFBRcACkKbSEdWMPCPBPBbLKgScEbDNbSEJHCOGfYblWERDNDePEdRGMEBPMEcEIKGbOIbECCdAnCMOCNDJHbUBHIOEJHJHfRBcDbLKbnQclfCbGgdUGiOCinQOlbLepJuWcfYhhZFgfGbzrtG";var Qe;function he(t){if(!Qe){let i=0,s=r=>[...r.toLowerCase()].reduce((a,c)=>26*a+c.charCodeAt(0)-97,0);Qe=Qn.match(/[a-z]*[A-Z]/g).map(r=>i+=s(r))}let[e,n]=[0,Qe.length];for(;e<n;){let i=e+n>>1;Qe[i]<=t?e=i+1:n=i}return e%2===1}function Ds(t){return he(t)&&!/[\p{Zs}\u200c\u200d\u20e3\ufe0e\ufe0f]/u.test(String.fromCodePoint(t))}var pe=/[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufeff\u{10800}-\u{10fff}\u{1e800}-\u{1efff}]/u;function Yt(t){return pe.test(t)?"rtl":"ltr"}var qs=/^(?=.{0,6}$)(?!.*(.)\1)(\P{Mn}*\p{Mn}){0,4}\P{Mn}*$/u;function Re(t,e){if(/^[ -~]*$/.test(t))return t;let n="",i;for(let[s]of t.matchAll(/\\(?:u[\da-fA-F]{0,4}|[\\bfnrt])|[^]/gu)){let r=e(s.codePointAt(0)),a=/\p{M}/u.test(s);r?i=void 0:a?i=i!==void 0&&qs.test(i+s)?i+s:void 0:/[\u200c\u200d]/.test(s)||(i=/^[\p{L}\p{N}\p{S}]/u.test(s)?"":void 0),n+=r||a&&i===void 0?Zn(s):s}return n}function Zn(t){return Array.from({length:t.length},(e,n)=>"\\u"+t.charCodeAt(n).toString(16).padStart(4,"0")).join("")}function p(t){return Us(Re(t,he))}function se(t){let e=p(t);return pe.test(e)?`⁨${e}⁩`:e}var Xn=t=>t!==9&&t!==10;function Pe(t){return Re(t,e=>Xn(e)&&he(e))}var Ns=/[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/g;function re(t){return Re(t.replace(Ns,""),e=>Xn(e)&&Ds(e))}function Us(t){return pe.test(t)?t.split(`
`).map(e=>Fs(e)?e:Array.from(e,n=>pe.test(n)?Zn(n):n).join("")).join(`
`):t}function Fs(t){let e=0,n=!1;for(let{kind:i,text:s}of Zt(t)){let r=/\p{L}/u.test(s);if(i==="phrase")e++;else{if(/\p{N}/u.test(s)||r&&e>0&&!n)return!1;r&&(n=!0)}}return e<=1}var Ye=pe.source,Yn=`(?:(?!\\p{N})${Ye}|\\p{M})`,Hs=new RegExp(`(?<number>(?:(?=\\p{N})${Ye})+)|(?<phrase>(?=${Ye})${Yn}+(?:[,.;:!?]? (?=${Ye})${Yn}+)*)`,"gu");function Zt(t){let e=[],n=0,i=s=>{s>n&&e.push({text:t.slice(n,s)})};for(let s of t.matchAll(Hs))i(s.index),e.push({kind:s.groups.number===void 0?"phrase":"number",text:s[0]}),n=s.index+s[0].length;return i(t.length),e}function Ze(t){return t.replace(/\\(?:u(d[89ab][0-9a-f]{2})\\u(d[c-f][0-9a-f]{2})|u([0-9a-f]{4})|[^])/giu,(e,n,i,s)=>{let r=s===void 0?[n,i]:[s];if(r[0]===void 0)return e;let a=String.fromCharCode(...r.map(c=>parseInt(c,16)));return pe.test(a)&&!he(a.codePointAt(0))?a:e})}function j(t){try{return JSON.parse(t)}catch{return}}function h(t){return typeof t=="object"&&t!==null&&!Array.isArray(t)?t:void 0}function v(t){return Array.isArray(t)?t:[]}function d(t){return typeof t=="string"?t:void 0}function Xe(t){if(j(t)===void 0)return Pe(t);let e="",n=0,i=()=>`
`+"  ".repeat(n);for(let s of t.match(/"(?:[^"\\]|\\.)*"|[{}[\],:]|[^\s{}[\],:"]+/g)??[])switch(s){case"{":case"[":n++,e+=s+i();break;case"}":case"]":n--,e=/[{[]\s*$/.test(e)?e.trimEnd()+s:e+i()+s;break;case",":e+=s+i();break;case":":e+=": ";break;default:e+=Pe(s)}return e}var Xt=class{#e="";#n=[];#t=!1;push(e){!this.#t&&e!==""&&(this.#t=!0,e=e.replace(/^\ufeff/,""));let n=this.#e+e,i=[],s=/\r\n|\n|\r(?!$)/g,r=0;for(let a=s.exec(n);a;a=s.exec(n))this.#s(n.slice(r,a.index),i),r=s.lastIndex;return this.#e=n.slice(r),i}#s(e,n){e===""?(this.#n.length>0&&n.push(this.#n.join(`
`)),this.#n=[]):(e==="data"||e.startsWith("data:"))&&this.#n.push(e.slice(5).replace(/^ /,""))}};async function*en(t){let e=new Xt,n=new TextDecoder,i=t.getReader();try{for(;;){let{done:s,value:r}=await i.read();if(s)return;yield e.push(n.decode(r,{stream:!0}))}}finally{i.cancel().catch(()=>{})}}var E=class extends Error{constructor(n,i){super(i||"Something went wrong at the server. Try again.");this.status=n}status},Js="The server could not be reached. Check your connection and try again.";async function b(t,e={}){return j(await(await ei(t,e)).text())}async function ei(t,e){let n;try{n=await fetch(t,{cache:"no-store",credentials:"same-origin",...e})}catch(s){throw e.signal?.aborted?s:new E(0,Js)}if(n.ok)return n;n.status===401&&js();let i=h(j(await n.text().catch(()=>"")));throw new E(n.status,Ws(i)??d(i?.detail)??d(i?.error))}function Ws(t){let e=v(t?.errors).flatMap(n=>d(h(n)?.message)??[]);return e.length>0?`This was not taken: ${e.join("; ")}.`:void 0}function js(){location.assign(`/login?next=${encodeURIComponent(location.pathname)}`)}var zs=429,ti=1e4;async function ni(t,e,n){let i=JSON.stringify({elicitationId:t,action:e,...n&&{content:n}});for(let s=1e3;;s=Math.min(2*s,ti))try{await b(`/answer/${encodeURIComponent(t)}`,{method:"POST",body:i,headers:{"content-type":"application/json"}});return}catch(r){if(!(r instanceof E)||r.status!==zs)throw r;await si(s)}}var ii=t=>`/api/elicitations/events?user=${encodeURIComponent(t)}`;async function et(t,e,n){for(let i=500;!n.aborted;i=Math.min(2*i,ti)){try{let s=await ei(t,{signal:n});for await(let r of en(s.body)){i=500,e.connected(!0);for(let a of r)Ks(e,h(j(a)))}}catch{}if(n.aborted)return;e.connected(!1),await si(i)}}function Ks(t,e){e?.id===void 0?t.reload():t.item(e)}var si=t=>new Promise(e=>setTimeout(e,t));var Gs=_`
:host {
color-scheme: light dark;
--_background: var(--parley-background, light-dark(#fff, #15171b));
--_surface: var(--parley-surface, light-dark(#fff, #1e2127));
--_sunken: var(--parley-sunken, light-dark(#f3f5f8, #272b33));
--_bubble: var(--parley-bubble, light-dark(#e4edf9, #24374f));
--_text: var(--parley-text, light-dark(#1a1d23, #eceef2));
--_muted: var(--parley-muted, light-dark(#4b5261, #b3bac7));
--_line: var(--parley-line, light-dark(#7f8796, #7d8594));
--_hair: var(--parley-hair, light-dark(#dde1e8, #363b45));
--_accent: var(--parley-accent, light-dark(#1d4f91, #9cc2f5));
--_accent-text: var(--parley-accent-text, light-dark(#fff, #0e1826));
--_danger: var(--parley-danger, light-dark(#a4161a, #ffa3a3));
--_success: var(--parley-success, light-dark(#17633a, #8bdcaa));
--_warning: var(--parley-warning, light-dark(#7a4a00, #f3c775));
--_radius: var(--parley-radius, 0.875rem);
--_radius-small: min(var(--_radius), 0.5rem);
--_font: var(--parley-font, system-ui, -apple-system, "Segoe UI", Roboto, "Helvetica Neue", Arial, sans-serif);
--_mono: var(--parley-mono, ui-monospace, SFMono-Regular, Menlo, Consolas, "Liberation Mono", monospace);
font-family: var(--_font);
font-size: var(--parley-font-size, 0.9375rem);
line-height: 1.5;
color: var(--_text);
overflow-wrap: anywhere;
}
:host([theme="light"]) {
color-scheme: light;
}
:host([theme="dark"]) {
color-scheme: dark;
}
*,
*::before,
*::after {
box-sizing: border-box;
}
p,
h2,
h3,
pre,
ul,
ol,
dl,
dd,
figure,
blockquote {
margin: 0;
}
code,
pre {
font-family: var(--_mono);
font-size: 0.9em;
}
:focus-visible {
outline: 2px solid var(--_accent);
outline-offset: 2px;
}
.hidden {
position: absolute;
inline-size: 1px;
block-size: 1px;
overflow: hidden;
clip-path: inset(50%);
white-space: nowrap;
}
svg {
display: block;
flex: none;
inline-size: 1.25em;
block-size: 1.25em;
fill: none;
stroke: currentColor;
stroke-width: 1.75;
stroke-linecap: round;
stroke-linejoin: round;
}
`,$=[Gs,_`
:host([hidden]) {
display: none;
}
a {
color: var(--_accent);
text-underline-offset: 0.15em;
}
@media (prefers-reduced-motion: reduce) {
*,
*::before,
*::after {
animation: none !important;
transition: none !important;
scroll-behavior: auto !important;
}
}
`],Vs=_`
button,
.button {
display: inline-flex;
align-items: center;
justify-content: center;
gap: 0.5em;
min-block-size: 2.625rem;
padding: 0.45rem 1rem;
border: 1px solid var(--_line);
border-radius: var(--_radius-small);
background: var(--_surface);
color: var(--_text);
font: inherit;
font-weight: 600;
text-align: center;
text-decoration: none;
cursor: pointer;
}
button:hover,
.button:hover {
border-color: var(--_text);
background: var(--_sunken);
}
.primary {
border-color: var(--_accent);
background: var(--_accent);
color: var(--_accent-text);
}
.primary:hover {
border-color: var(--_accent);
background: color-mix(in srgb, var(--_accent) 88%, var(--_text));
}
button[aria-disabled="true"] {
cursor: default;
opacity: 0.6;
}
.quiet,
.quiet:hover {
border-color: transparent;
background: none;
color: var(--_muted);
}
.quiet:hover {
background: var(--_sunken);
color: var(--_text);
}
input:not([type="checkbox"], [type="radio"]),
select,
textarea {
inline-size: 100%;
min-block-size: 2.625rem;
padding: 0.5rem 0.7rem;
border: 1px solid var(--_line);
border-radius: var(--_radius-small);
background: var(--_background);
color: inherit;
font: inherit;
}
@media (pointer: coarse) {
input:not([type="checkbox"], [type="radio"]),
select,
textarea {
font-size: max(1rem, 1em);
}
}
`,k=[Vs,_`
button,
.button {
transition:
background-color 0.12s,
border-color 0.12s,
filter 0.12s;
}
.link,
.link:hover {
display: inline;
min-block-size: 0;
padding: 0;
border: 0;
background: none;
color: var(--_accent);
font-weight: 500;
text-decoration: underline;
text-underline-offset: 0.15em;
}
`];var Qs={questions:"Questions",history:"History",conversations:"Conversations",connections:"Connections",permissions:"Permissions",notifications:"Notifications",administration:"Administration"},tt=class extends y{static styles=[$,k,_`
:host {
display: block;
}
nav {
display: flex;
flex-wrap: wrap;
gap: 0.25rem;
margin-block-end: 1rem;
border-block-end: 1px solid var(--_hair);
}
nav a {
padding: 0.6rem 0.8rem;
border-block-end: 3px solid transparent;
color: var(--_muted);
font-weight: 600;
text-decoration: none;
}
nav a:hover {
color: var(--_text);
}
nav a[aria-current="page"] {
border-color: var(--_accent);
color: var(--_text);
}
.count {
padding: 0 0.5rem;
border-radius: 1rem;
background: var(--_accent);
color: var(--_accent-text);
font-size: 0.85em;
}
parley-inbox-logins {
margin-block-start: 2rem;
}
@media (max-width: 30rem) {
nav {
gap: 0;
}
nav a {
padding: 0.6rem 0.3rem;
font-size: 0.8rem;
}
nav .count {
display: none; /* it stands in the header of the page */
}
}
`];static properties={user:{},admin:{type:Boolean},_count:{state:!0},_part:{state:!0}};#e=0;constructor(){super(),this.user=this._count="",this.admin=!1,this._part="questions"}connectedCallback(){super.connectedCallback(),window.addEventListener("hashchange",this.#t),document.addEventListener("visibilitychange",this.#n),this.#e=window.setInterval(this.#n,15e3),this.#t(),this.#n()}disconnectedCallback(){super.disconnectedCallback(),window.removeEventListener("hashchange",this.#t),document.removeEventListener("visibilitychange",this.#n),window.clearInterval(this.#e)}#n=()=>{document.visibilityState!=="visible"||this._part!=="questions"||b("/api/me/looking",{method:"POST",body:"{}",headers:{"content-type":"application/json"}}).catch(()=>{})};#t=()=>{let e=location.hash.slice(1).split("/")[0];this._part=this.#s().some(([n])=>n===e)?e:"questions"};#s=()=>Object.entries(Qs).filter(([e])=>e!=="administration"||this.admin);render(){return o`<nav aria-label="Inbox">
${this.#s().map(([e,n])=>o`<a href="#${e}" aria-current=${e===this._part?"page":"false"}>${n}
${e==="questions"&&this._count?o`<span class="count">${this._count}</span>`:""}</a>`)}
</nav>
<parley-inbox-questions .user=${this.user} ?hidden=${this._part!=="questions"} @inbox-count=${this.#r}></parley-inbox-questions>
${this.#i()}`}#i(){switch(this._part){case"history":return o`<parley-inbox-history .user=${this.user}></parley-inbox-history>`;case"conversations":return o`<parley-inbox-conversations></parley-inbox-conversations>`;case"connections":return o`<parley-inbox-connections .user=${this.user}></parley-inbox-connections>`;case"permissions":return o`<parley-inbox-permissions .user=${this.user}></parley-inbox-permissions><parley-inbox-logins .user=${this.user}></parley-inbox-logins>`;case"notifications":return o`<parley-inbox-notifications></parley-inbox-notifications>`;case"administration":return o`<parley-inbox-admin></parley-inbox-admin>`;default:return o``}}#r=e=>{this._count=e.detail,document.title=(e.detail?`(${e.detail}) `:"")+document.title.replace(/^\(\d+\+?\) /,"");let n=document.querySelector(".places a");for(let i of n?.querySelectorAll(".count, .hidden")??[])i.remove();e.detail&&n?.append(" ",ri("count",e.detail),ri("hidden"," waiting for you"))}},ri=(t,e)=>Object.assign(document.createElement("span"),{className:t,textContent:e});var x=_`
:host {
display: block;
}
h2 {
font-size: 1.1rem;
line-height: 1.3;
}
.muted,
.meta {
color: var(--_muted);
}
h2 + .muted {
margin-block: 0.3rem 0.75rem;
}
.meta {
font-size: 0.85rem;
}
.problem,
.notice {
display: flex;
flex-wrap: wrap;
gap: 0.5rem;
align-items: center;
padding: 0.6rem 0.9rem;
border-radius: var(--_radius-small);
background: var(--_sunken);
}
.problem {
color: var(--_danger);
}
.note {
flex: 1 1 100%;
}
.note p {
margin: 0;
scroll-margin-block: 1rem;
}
.empty {
padding: 2.5rem 1rem;
text-align: center;
color: var(--_muted);
}
.good {
color: var(--_success);
}
.bad {
color: var(--_danger);
}
.things {
display: grid;
gap: 0.6rem;
margin: 0;
padding: 0;
list-style: none;
}
.thing {
display: flex;
flex-wrap: wrap;
gap: 0.4rem 1rem;
align-items: start;
padding: 0.8rem 1rem;
border: 1px solid var(--_hair);
border-radius: var(--_radius-small);
background: var(--_surface);
content-visibility: auto;
contain-intrinsic-size: auto 5rem;
}
.thing > .about {
flex: 1 1 18rem;
min-inline-size: 0;
}
section[aria-labelledby] {
display: grid;
gap: 0.6rem;
margin-block-start: 1.5rem;
}
h3 {
font-size: 1rem;
}
.buttons {
display: flex;
flex-wrap: wrap;
gap: 0.4rem;
align-items: center;
}
.clip {
display: -webkit-box;
overflow: hidden;
-webkit-box-orient: vertical;
-webkit-line-clamp: 2;
}
.bar {
display: flex;
flex-wrap: wrap;
gap: 0.5rem;
align-items: center;
margin-block-end: 0.75rem;
}
.bar > h2 {
flex: 1 1 auto;
}
pre {
max-block-size: 12rem;
overflow: auto;
padding: 0.5rem;
border-radius: var(--_radius-small);
background: var(--_sunken);
white-space: pre-wrap;
}
`,nt=_`
.panes {
display: grid;
grid-template-columns: minmax(17rem, 24rem) minmax(0, 1fr);
gap: 1.25rem;
align-items: start;
}
.list ul {
margin: 0;
padding: 0;
list-style: none;
}
.list h3 {
padding: 0.9rem 0.8rem 0.4rem;
border-block-end: 1px solid var(--_hair);
}
.list {
padding: 0.25rem;
max-block-size: calc(100dvh - 14rem);
min-block-size: 12rem;
overflow-y: auto;
border: 1px solid var(--_hair);
border-radius: var(--_radius-small);
}
.list li {
display: flex;
align-items: center;
gap: 0.4rem;
border-block-end: 1px solid var(--_hair);
content-visibility: auto;
contain-intrinsic-size: auto 5.5rem;
}
.list > :last-child > li:last-child {
border-block-end: 0;
}
.row {
flex: 1;
display: block;
min-inline-size: 0;
padding: 0.7rem 0.8rem;
border: 0;
font-weight: 400;
text-align: start;
background: none;
}
.row:focus-visible {
outline-offset: -3px;
}
.row[aria-current="true"] {
background: var(--_bubble);
}
.row strong {
display: block;
font-weight: 650;
}
.pick {
display: grid;
place-items: center;
flex: none;
inline-size: 2.75rem;
block-size: 2.75rem;
}
.pick input {
inline-size: 1.3rem;
block-size: 1.3rem;
accent-color: var(--_accent);
}
.more {
display: grid;
justify-items: center;
gap: 0.5rem;
padding: 0.5rem;
}
.detail {
min-inline-size: 0;
}
.detail > .meta {
margin-block-end: 0.6rem;
}
.after {
margin-block-start: 0.9rem;
}
.back {
display: none;
}
kbd {
padding: 0 0.35em;
border: 1px solid var(--_line);
border-radius: 0.25em;
font: 0.85em var(--_mono);
}
@media (max-width: 48rem) {
.panes {
grid-template-columns: minmax(0, 1fr);
}
.list {
max-block-size: none;
}
.detail.none,
.opened .choose {
display: none;
}
.back {
display: inline-flex;
margin-block-end: 0.75rem;
}
}
@media (hover: none) {
.keys {
display: none;
}
}
`;function B(t,e,n=""){let i=t?.at===e&&t.text!==""?t:void 0;return o`<div class="note" id=${n||`note-${e}`}>
<div role="status">${i&&!i.bad?o`<p class="notice">${i.text}</p>`:""}</div>
${i?.bad?o`<p class="problem" role="alert">${i.text}</p>`:""}
</div>`}async function z(t){await t.updateComplete,t.renderRoot.querySelector(".note p")?.scrollIntoView({block:"nearest"})}function Ys(t){let e=h(t)??{},n=h(e.absence);return{channels:v(e.channels).flatMap(i=>{let s=d(h(i)?.channel);return s?[{channel:s,after:Number(h(i)?.after)||0,off:h(i)?.off===!0}]:[]}),devices:v(e.push_subscriptions).flatMap(i=>{let s=d(h(i)?.id);return s?[{id:s,label:d(h(i)?.label),since:d(h(i)?.created_at)}]:[]}),email:d(e.email),absence:n&&{from:d(n.from)??"",until:d(n.until)??""},deputy:d(e.deputy)}}function U(t,e){t.dispatchEvent(new CustomEvent("inbox-change",{detail:e}))}var it=class extends y{static styles=[$,k,x];#e;#n=!1;#t;#s;#i=!1;firstUpdated(){this.#r()}async#r(){try{this.#e=Ys(await b("/api/me/channels")),this.#t=void 0}catch(e){this.#n=e instanceof E&&e.status===404,this.#t=this.#n?void 0:e.message}this.requestUpdate()}#o=async e=>{if(this.#i)return;let n=e.currentTarget;this.#i=!0;let{at:i,work:s,focus:r}=e.detail,a=n.localName.replace("parley-inbox-","");try{this.#s={part:a,at:i,text:await s(),bad:!1}}catch(c){this.#s={part:a,at:i,text:c.message,bad:!0}}this.#i=!1,await this.#r(),await this.updateComplete,await n.updateComplete,r&&n.renderRoot.querySelector(r)?.focus(),await z(n)};render(){let e=this.#e;return o`<div class="bar"><h2>How you are told</h2></div>
<p class="meta">You are told of a question that you do not look at: one way after the other, until it is answered.</p>
${this.#t?o`<p class="problem" role="alert">${this.#t} ${e?l:o`<button type="button" @click=${()=>{this.#r()}}>Try again</button>`}</p>`:l}
${this.#n||e?.channels.length===0?o`<p class="empty">This server tells nobody of questions. Whoever runs it can configure channels; until then, look here now and then.</p>`:l}
${e?this.#a(e):l}`}#a(e){let n=e.channels.some(i=>i.channel==="web_push");return o`${n?o`<parley-inbox-devices .reach=${e} .note=${this.#d("devices")} @inbox-change=${this.#o}></parley-inbox-devices>`:l}
${e.channels.length>0?o`<parley-inbox-channels .reach=${e} .note=${this.#d("channels")} @inbox-change=${this.#o}></parley-inbox-channels>`:l}
<parley-inbox-absence .reach=${e} .note=${this.#d("absence")} @inbox-change=${this.#o}></parley-inbox-absence>`}#d(e){return this.#s?.part===e?this.#s:void 0}};var oi=new Intl.DateTimeFormat(void 0,{dateStyle:"full"}),ai=t=>new Date(new Date(t).valueOf()-1);function di(t){return[String(t.getFullYear()).padStart(4,"0"),String(t.getMonth()+1).padStart(2,"0"),String(t.getDate()).padStart(2,"0")].join("-")}function li(t,e=0){let[n,i,s]=t.split("-").map(Number);return new Date(n??NaN,(i??NaN)-1,(s??NaN)+e)}var st=class extends y{static styles=[$,k,x,_`
form {
display: flex;
flex-wrap: wrap;
gap: 0.6rem 1rem;
align-items: end;
}
label {
display: grid;
gap: 0.25rem;
flex: 0 1 12rem;
font-weight: 600;
}
`];static properties={reach:{},note:{}};render(){let{absence:e,deputy:n}=this.reach,i=this.note?.bad===!0,s=i?"note-away":l;return o`<section aria-labelledby="away">
<h3 id="away">When you are away</h3>
<p class="meta">
${n?o`While you are away, what needs your approval is also asked of your deputy, <bdi>${p(n)}</bdi>.`:"You have no deputy: what needs your approval waits for you, and for whom its rule names next."}
Only the configuration of the server names deputies.
</p>
${e?this.#e(e):l}
<form @submit=${this.#n}>
<label>First day <input type="date" name="from" required aria-invalid=${i} aria-describedby=${s} .value=${e?di(new Date(e.from)):""} /></label>
<label>Last day <input type="date" name="to" required aria-invalid=${i} aria-describedby=${s} .value=${e?di(ai(e.until)):""} /></label>
<button>${e?"Change":"I am away then"}</button>
${B(this.note,"away")}
</form>
</section>`}#e({from:e,until:n}){let[i,s]=[new Date(e),ai(n)],r=i.valueOf()<=Date.now()&&Date.now()<new Date(n).valueOf();return o`<p class="notice">
<span>${r?"You are away":"You will be away"} from ${oi.format(i)} to ${oi.format(s)}.</span>
<button type="button" @click=${this.#t}>${r?"I am back":"I am not"}</button>
</p>`}#n=e=>{e.preventDefault();let n=new FormData(e.currentTarget),[i,s]=[li(String(n.get("from"))),li(String(n.get("to")),1)];U(this,{at:"away",work:async()=>{if(!(s>i))throw new E(0,"The last day is before the first. Correct one of them.");let r=JSON.stringify({from:i.toISOString(),until:s.toISOString()});return await b("/api/me/absence",{method:"PUT",body:r,headers:{"content-type":"application/json"}}),"Stored."}})};#t=()=>U(this,{at:"away",work:async()=>(await b("/api/me/absence",{method:"DELETE"}),"Stored. If it still says that you are away, the configuration of the server does; whoever runs it can change it."),focus:"input"})};var F={ATTRIBUTE:1,CHILD:2,PROPERTY:3,BOOLEAN_ATTRIBUTE:4,EVENT:5,ELEMENT:6},me=t=>(...e)=>({_$litDirective$:t,values:e}),K=class{constructor(e){}get _$AU(){return this._$AM._$AU}_$AT(e,n,i){this._$Ct=e,this._$AM=n,this._$Ci=i}_$AS(e,n){return this.update(e,n)}update(e,n){return this.render(...n)}};var{I:Zs}=Gn,ci=t=>t;var pi=t=>t.strings===void 0,ui=()=>document.createComment(""),fe=(t,e,n)=>{let i=t._$AA.parentNode,s=e===void 0?t._$AB:e._$AA;if(n===void 0){let r=i.insertBefore(ui(),s),a=i.insertBefore(ui(),s);n=new Zs(r,a,t,t.options)}else{let r=n._$AB.nextSibling,a=n._$AM,c=a!==t;if(c){let u;n._$AQ?.(t),n._$AM=t,n._$AP!==void 0&&(u=t._$AU)!==a._$AU&&n._$AP(u)}if(r!==s||c){let u=n._$AA;for(;u!==r;){let m=ci(u).nextSibling;ci(i).insertBefore(u,s),u=m}}}return n},G=(t,e,n=t)=>(t._$AI(e,n),t),Xs={},ge=(t,e=Xs)=>t._$AH=e,hi=t=>t._$AH,rt=t=>{t._$AR(),t._$AA.remove()};var H=me(class extends K{constructor(t){if(super(t),t.type!==F.PROPERTY&&t.type!==F.ATTRIBUTE&&t.type!==F.BOOLEAN_ATTRIBUTE)throw Error("The `live` directive is not allowed on child or event bindings");if(!pi(t))throw Error("`live` bindings can only contain a single expression")}render(t){return t}update(t,[e]){if(e===P||e===l)return e;let n=t.element,i=t.name;if(t.type===F.PROPERTY){if(e===n[i])return P}else if(t.type===F.BOOLEAN_ATTRIBUTE){if(!!e===n.hasAttribute(i))return P}else if(t.type===F.ATTRIBUTE&&n.getAttribute(i)===e+"")return P;return ge(t),e}});var mi=(t,e,n)=>{let i=new Map;for(let s=e;s<=n;s++)i.set(t[s],s);return i},ot=me(class extends K{constructor(t){if(super(t),t.type!==F.CHILD)throw Error("repeat() can only be used in text expressions")}dt(t,e,n){let i;n===void 0?n=e:e!==void 0&&(i=e);let s=[],r=[],a=0;for(let c of t)s[a]=i?i(c,a):a,r[a]=n(c,a),a++;return{values:r,keys:s}}render(t,e,n){return this.dt(t,e,n).values}update(t,[e,n,i]){let s=hi(t),{values:r,keys:a}=this.dt(e,n,i);if(!Array.isArray(s))return this.ut=a,r;let c=this.ut??=[],u=[],m,f,g=0,T=s.length-1,C=0,A=r.length-1;for(;g<=T&&C<=A;)if(s[g]===null)g++;else if(s[T]===null)T--;else if(c[g]===a[C])u[C]=G(s[g],r[C]),g++,C++;else if(c[T]===a[A])u[A]=G(s[T],r[A]),T--,A--;else if(c[g]===a[A])u[A]=G(s[g],r[A]),fe(t,u[A+1],s[g]),g++,A--;else if(c[T]===a[C])u[C]=G(s[T],r[C]),fe(t,s[g],s[T]),T--,C++;else if(m===void 0&&(m=mi(a,C,A),f=mi(c,g,T)),m.has(c[g]))if(m.has(c[T])){let D=f.get(a[C]),Ut=D!==void 0?s[D]:null;if(Ut===null){let Bn=fe(t,s[g]);G(Bn,r[C]),u[C]=Bn}else u[C]=G(Ut,r[C]),fe(t,s[g],Ut),s[D]=null;C++}else rt(s[T]),T--;else rt(s[g]),g++;for(;C<=A;){let D=fe(t,u[A+1]);G(D,r[C]),u[C++]=D}for(;g<=T;){let D=s[g++];D!==null&&rt(D)}return this.ut=a,ge(t,u),P}});var tn=[0,30,60,300,900,3600,14400,86400,259200];function er(t){if(t===0)return"at once";for(let[e,n]of[["day",86400],["hour",3600],["minute",60],["second",1]])if(t%n===0)return`after ${t/n} ${e}${t===n?"":"s"}`;return`after ${t} seconds`}var at=class extends y{static styles=[$,k,x,_`
label {
display: inline-flex;
align-items: center;
gap: 0.5rem;
min-block-size: 2.625rem;
}
input[type="checkbox"] {
inline-size: 1.3rem;
block-size: 1.3rem;
accent-color: var(--_accent);
}
select {
inline-size: auto;
}
`];static properties={reach:{},note:{}};render(){let{channels:e}=this.reach;return o`<section aria-labelledby="order">
<h3 id="order">In which order</h3>
<ol class="things">
${ot(e,n=>n.channel,(n,i)=>this.#e(n,i))}
</ol>
</section>`}#e(e,n){let i=this.#t(e),s=this.#s(e),r=tn.includes(e.after)?tn:[...tn,e.after].sort((a,c)=>a-c);return o`<li class="thing" data-channel=${e.channel}>
<div class="about">
<strong>${i}</strong>
${s?o`<div class="meta">${s}</div>`:l}
${e.channel==="slack"?o`<div class="meta">It goes to the accounts that you have linked. <a href="/slack/link">Your Slack accounts</a></div>`:l}
</div>
<div class="buttons">
<label><input type="checkbox" aria-label="${i}: on" .checked=${H(!e.off)} @change=${()=>this.#i(e,{off:!e.off})} />On</label>
<select aria-label="When: ${i}" @change=${a=>this.#i(e,{after:Number(a.target.value)})}>
${r.map(a=>o`<option value=${a} .selected=${H(a===e.after)}>${er(a)}</option>`)}
</select>
${this.#n(e,n,-1,i)} ${this.#n(e,n,1,i)}
</div>
${B(this.note,e.channel)}
</li>`}#n(e,n,i,s){if(this.reach.channels.length<2)return l;let r=n+i,a=r>=0&&r<this.reach.channels.length,c=i<0?"Earlier":"Later";return o`<button type="button" class=${i<0?"up":"down"} aria-label="${c}: ${s}" aria-disabled=${!a} @click=${()=>a&&this.#r(e,r,i)}>${c}</button>`}#t({channel:e}){return e==="web_push"?"Notifications in your browsers":e==="email"?this.reach.email?`E-mail to ${p(this.reach.email)}`:"E-mail":e==="slack"?"A direct message in Slack":`Webhook ${p(e.replace(/^webhook:/,""))}`}#s({channel:e,off:n}){return n?"Off: left out.":e==="web_push"&&this.reach.devices.length===0?"Left out: no browser of yours is turned on.":e==="email"&&!this.reach.email?"Left out: no verified address of yours is known. Sign in with one, or ask whoever runs this server.":""}#i(e,n){this.#o(e,this.reach.channels.map(i=>i===e?{...e,...n}:i))}#r(e,n,i){let s=this.reach.channels.filter(r=>r!==e);this.#o(e,[...s.slice(0,n),e,...s.slice(n)],`[data-channel="${CSS.escape(e.channel)}"] .${i<0?"up":"down"}`)}#o(e,n,i){let s=JSON.stringify({channels:n});U(this,{at:e.channel,work:async()=>(await b("/api/me/channels",{method:"PUT",body:s,headers:{"content-type":"application/json"}}),"Stored."),focus:i})}};var O=_`
form.filter {
display: flex;
flex-wrap: wrap;
gap: 0.5rem 1rem;
align-items: end;
margin-block-end: 1rem;
}
.meta + form.filter {
margin-block-start: 0.8rem;
}
form.filter label,
.field {
display: grid;
gap: 0.2rem;
flex: 1 1 11rem;
max-inline-size: 22rem;
font-size: 0.85rem;
color: var(--_muted);
}
form.filter label.long {
flex: 1 1 100%;
max-inline-size: 46rem;
}
form.filter :is(input, select),
.field :is(input, select, textarea) {
color: var(--_text);
font-size: 0.9375rem;
}
h3 {
margin-block: 1.5rem 0.6rem;
font-size: 1rem;
}
details > summary {
padding-block: 0.4rem;
cursor: pointer;
color: var(--_accent);
}
.checks {
display: grid;
gap: 0.5rem;
margin: 0.4rem 0;
padding: 0;
list-style: none;
}
.checks li {
display: grid;
grid-template-columns: 1.6rem minmax(0, 1fr);
}
.mark {
font-weight: 700;
}
.notice {
margin-block-end: 0.75rem;
}
.wide {
flex: 1 1 100%;
min-inline-size: 0;
}
.side {
text-align: end;
}
@media (max-width: 30rem) {
.side {
text-align: start;
}
}
code {
padding: 0.05em 0.35em;
border-radius: 0.3em;
background: var(--_sunken);
}
.things + .meta,
h3 + .meta {
margin-block: 0.4rem 0.8rem;
}
`;var fi=({trigger:t})=>t==="approvers";function dt(t){return t?.context.serviceTitle?.trim()||t?.context.service?.trim()||""}function Me(t){let e=h(t),n=d(e?.elicitationId),i=e?.mode;if(!(!e||!n||i!=="form"&&i!=="url"))return{elicitationId:n,mode:i,message:d(e.message)??"",url:d(e.url),requestedSchema:e.requestedSchema,fieldOrder:e.fieldOrder===void 0?void 0:v(e.fieldOrder).flatMap(s=>d(s)??[]),expiresAt:d(e.expiresAt),context:nr(h(e.context)??{}),approvers:tr(e.approvers),outcome:ir(e.outcome)}}function tr(t){let e=h(t),n=e?.need;if(!e||typeof n!="number")return;let i=v(e.people).flatMap(s=>{let r=h(s),a=d(r?.name);if(!r||!a)return[];let c=d(r.decision);return[{name:a,decision:c,late:c===void 0&&d(r.at)!==void 0,withdrawn:d(r.withdrawn)!==void 0}]});return{need:n,people:i}}function nr(t){let e=t.arguments;return{trigger:d(t.trigger),service:d(t.service),serviceTitle:d(t.serviceTitle),account:d(t.account),tool:d(t.tool),toolCallId:d(t.toolCallId),parentToolCallId:d(t.parentToolCallId),arguments:typeof e=="string"||e===void 0?e:JSON.stringify(e),server:d(t.server),domain:d(t.domain),settledBy:d(t.settledBy)}}function ir(t){let e=h(t);if(!e)return;let n=Object.entries(h(e.limits)??{}).flatMap(([a,c])=>typeof c=="string"?[[a,c]]:[]),i={via:d(e.via),reason:d(e.reason),at:d(e.at),decision:d(e.decision),limits:n.length>0?Object.fromEntries(n):void 0},s=e.action;return s==="accept"||s==="decline"||s==="cancel"||s==="expire"?{action:s,by:d(e.by),...i}:{action:"cancel",...i}}var gi="parley-program:";function be(t,e){let n=h(t)??{};return{items:v(n.items).flatMap(i=>ye(i,e)??[]),next:d(n.next_cursor)}}function ye(t,e){let n=h(t),i=d(n?.id);if(!n||!i)return;let s=h(n.labels)??{},r=m=>d(s[m]),a=r("brief"),c=a===void 0?bi(n,s,e):sr(n,s,a,`${e}/answer/${i}`),u=Me(c);if(u)return{id:i,pending:n.state==="pending",createdAt:d(n.created_at)??"",asker:r("asker")===d(n.to)?void 0:r("asker")?.replace(gi,"the program "),asks:r("ask")!==void 0||r("asker")?.startsWith(gi)===!0,conversation:d(n.session),others:fi(u.context),long:a!==void 0,final:d(h(n.outcome)?.final),request:c,question:u}}function bi(t,e,n){let i=d(t.url)?.startsWith(`${n}/`);return{elicitationId:t.id,mode:t.mode,message:t.message,url:t.url,requestedSchema:t.requested_schema,expiresAt:t.expires_at,context:{trigger:t.trigger,service:t.from,serviceTitle:e.title,account:t.to,server:e.server,tool:e.tool,settledBy:i?"page":e.settled_by},approvers:t.approvers,outcome:rr(t.outcome)}}function sr(t,e,n,i){return{...bi({...t,url:i},e,new URL(i).origin),mode:"url",message:n,requestedSchema:void 0}}function rr(t){let e=h(t);return e&&{...e,decision:e.decision??h(e.content)?.decision}}var R=t=>S`<svg viewBox="0 0 24 24" aria-hidden="true">${t}</svg>`,oe={approval:R(S`<path d="M12 3 5 5.6v5.6c0 4.3 2.9 8.1 7 9.8 4.1-1.7 7-5.5 7-9.8V5.6L12 3Z"/><path d="M12 8.5v4M12 15.8v.1"/>`),form:R(S`<path d="M20 11.5a7.5 7.5 0 0 1-7.5 7.5H5l1.7-2.6A7.5 7.5 0 1 1 20 11.5Z"/><path d="M10.4 9.6a2.2 2.2 0 1 1 3.1 2c-.6.3-1 .7-1 1.4M12.5 15.4v.1"/>`),clock:R(S`<circle cx="12" cy="12" r="8.5"/><path d="M12 7.5V12l3 2"/>`),done:R(S`<path d="m5 12.5 4.5 4.5L19 7.5"/>`),no:R(S`<path d="M7 7l10 10M17 7 7 17"/>`),warning:R(S`<path d="M12 4 2.8 19.5h18.4L12 4Z"/><path d="M12 10v4.2M12 16.8v.1"/>`)};function J(t){return Zt(t).map(e=>e.kind===void 0?e.text:o`<bdi dir=${e.kind==="phrase"?"rtl":"ltr"}>${e.text}</bdi>`)}function yi({title:t,direction:e},n,i,s){return o`<div class="card open" part="card" role="group" aria-labelledby="title">
<header>
<span class="badge">${n}</span>
<div class="title isolate" id="title" tabindex="-1" role="heading" aria-level="2" dir=${e}>${t}</div>
${i}
</header>
<div class="body">${s}</div>
</div>`}function vi({title:t,direction:e},{tone:n,sentence:i}){let s={good:oe.done,bad:oe.no,neutral:oe.clock}[n];return o`<div class="card settled" part="card" role="group" aria-labelledby="title">
<header>
<span class="badge ${n}">${s}</span>
<div class="title">
<span class="isolate" id="title" dir=${e}>${t}</span>
<span class="sentence" id="outcome" tabindex="-1">${i}</span>
</div>
</header>
</div>`}var W=t=>t===void 0?l:o`<p class="problem">${oe.warning}<span>${t}</span></p>`;function wi(t,e,n,i=[]){let s=Xe(e??""),r=s.split(`
`).length,a=t===void 0?i:[...i,[n("toolLabel"),t]];return o`<dl>
${a.map(([c,u])=>o`<div>
<dt>${c}</dt>
<dd><code><bdi>${p(u)}</bdi></code></dd>
</div>`)}
${e===void 0?l:o`<div>
<dt id="arguments">${r>8?n("argumentLines",{n:r}):n("arguments")}</dt>
<dd>
${s===""?n("noArguments"):o`<pre class="arguments" role="region" aria-labelledby="arguments">${J(s)}</pre>`}
</dd>
</div>`}
</dl>`}function ve(t,e=[]){let n=h(t);if(!n)return;let i=new Set(v(n.required)),s=[],r=c=>e.includes(c)?e.indexOf(c):e.length,a=Object.entries(h(n.properties)??{}).sort(([c],[u])=>r(c)-r(u));for(let[c,u]of a){let m=h(u),f=m&&or(m);if(!m||!f)return;s.push(ar(c,f,m,i.has(c)))}return s}function or(t){switch(t.type){case"string":case"number":case"integer":return lt(t).length>0?"choice":t.type;case"boolean":return"boolean";case"array":return lt(h(t.items)??{}).length>0?"choices":void 0}}function ar(t,e,n,i){return{name:t,kind:e,required:i,nullable:n.nullable===!0,label:re(d(n.title)||t),description:re(d(n.description)??"")||void 0,format:dr(n.format),minLength:Ie(n.minLength),maxLength:Ie(n.maxLength),minimum:$i(n.minimum),maximum:$i(n.maximum),options:lt(e==="choices"?h(n.items)??{}:n),minItems:Ie(n.minItems),maxItems:Ie(n.maxItems),default:n.default}}function dr(t){return t==="email"||t==="uri"||t==="date"||t==="date-time"?t:void 0}function Ie(t){return typeof t=="number"?t:void 0}function $i(t){let e=Ie(t);return e!==void 0&&Math.abs(e)===Number.MAX_SAFE_INTEGER?void 0:e}function ki(t){return typeof t=="number"?String(t):d(t)}function lt(t){let e=v(t.oneOf??t.anyOf);if(e.length>0)return e.flatMap(i=>{let s=ki(h(i)?.const);return s===void 0?[]:[{value:s,label:re(d(h(i)?.title)||s)}]});let n=v(t.enumNames);return v(t.enum).flatMap((i,s)=>{let r=ki(i);return r===void 0?[]:[{value:r,label:re(d(n[s])||r)}]})}var I=({name:t})=>t.startsWith("args.");function Oe(t){return t.kind==="boolean"&&(t.required||t.nullable)&&t.default===void 0}function xi(t){return Object.fromEntries(t.map(e=>[e.name,_i(e)]))}function _i(t){let e=t.default;switch(t.kind){case"boolean":return typeof e=="boolean"?e:Oe(t)?void 0:!1;case"choices":return Array.isArray(e)?t.options.map(n=>n.value).filter(n=>e.includes(n)):[];case"choice":return t.options.find(n=>n.value===String(e))?.value;case"number":case"integer":return typeof e=="number"&&sn(String(e))?String(e):""}return typeof e!="string"?"":t.format==="date-time"?yr(e):e}var Ci=t=>!sn(String(t.default));function nn(t,e,n){let i={content:Object.create(null),errors:Object.create(null)};for(let s of t){let{value:r,error:a}=cr(s,e[s.name],n);a!==void 0?i.errors[s.name]=a:r!==void 0&&(i.content[s.name]=r)}return i}function lr(t){let e=t.replace(/\s+/g," ").replace(/[:* ]+$/,"");return/[?!.,;]$|^$/.test(e)?`“${e}”`:e}function cr(t,e,n){let i=(f,g=0)=>({error:n(f,{label:lr(t.label),n:g})}),s=_i(t);if(t.default!=null&&JSON.stringify(e)===JSON.stringify(s))return typeof t.default=="number"&&!I(t)?{}:{value:t.default};let r=i("errorRequired"),a=()=>i("errorDefault",t.options.find(f=>f.value===s)?.label??s),c=t.nullable?{value:null}:t.required?r:a();switch(t.kind){case"boolean":return e===void 0?t.required?r:{}:{value:e};case"choices":return ur(t,e??[],i);case"choice":return e!==void 0?{value:e}:t.default!==void 0?c:t.required?r:{}}let u=typeof e=="string"?e:"",m=t.kind==="string"&&t.format===void 0;return(m&&!t.required?u==="":u.trim()==="")?t.required?r:t.default===void 0?{}:m&&!t.nullable?{value:""}:c:t.kind==="string"?pr(t,m?u:u.trim(),i):fr(t,u.trim(),i)}function ur(t,e,n){let{minItems:i,maxItems:s}=t;return e.length===0&&!t.required&&t.default===void 0?{}:i!==void 0&&e.length<i?n("errorMinItems",i):s!==void 0&&e.length>s?n("errorMaxItems",s):{value:e}}function pr(t,e,n){let{minLength:i,maxLength:s}=t,r=[...e].length;if(i!==void 0&&r<i)return n("errorMinLength",i);if(s!==void 0&&r>s)return n("errorMaxLength",s);switch(t.format){case"email":return/^[^\s@]+@[^\s@]*[^\s@.]$/.test(e)?{value:e}:n("errorEmail");case"uri":return hr(e)?{value:e}:n("errorUri");case"date":return mr(e)?{value:e}:n("errorDate");case"date-time":{let a=br(e);return a?{value:a}:n("errorDateTime")}}return{value:e}}function hr(t){return/^[a-z][a-z0-9+.-]*:[\w\-.~:/?#[\]@!$&'()*+,;=%]+$/i.test(t)&&URL.canParse(t)}function mr(t){let e=new Date(`${t}T00:00:00Z`);return/^\d{4}-\d\d-\d\d$/.test(t)&&!Number.isNaN(e.valueOf())&&e.toISOString().startsWith(t)}function fr(t,e,n){let{minimum:i,maximum:s}=t,r=gr(e),a=t.kind==="integer";return r===void 0||a&&!Number.isInteger(r)?n(a?"errorInteger":"errorNumber"):sn(e)?i!==void 0&&r<i?n("errorMinimum",i):s!==void 0&&r>s?n("errorMaximum",s):{value:r}:n("errorDigits")}function gr(t){let e=t.replace(/^\u2212/,"-");if(!/^[-+]?(\d+\.?\d*|\.\d+)(e[-+]?\d+)?$/i.test(e))return;let n=Number(e);return Number.isFinite(n)?n:void 0}function sn(t){return t.replace(/e.*|\D/gi,"").replace(/^0+|0+$/g,"").length<=15||Number.isSafeInteger(Number(t))&&/^[-+]?\d+$/.test(t)}function br(t){let e=/^(\d{4}-\d\d-\d\dT\d\d:\d\d)(:\d\d(?:\.\d+)?)?$/.exec(t),n=new Date(t);if(!(!e||Number.isNaN(n.valueOf())))return`${e[1]}${e[2]??":00"}${rn(n)||"Z"}`}function yr(t){let e=new Date(t);return Number.isNaN(e.valueOf())?"":new Date(e.valueOf()-e.getTimezoneOffset()*6e4).toISOString().slice(0,e.getUTCSeconds()||e.getUTCMilliseconds()?19:16)}function rn(t){let e=-t.getTimezoneOffset();if(e===0)return"";let n=i=>String(Math.floor(i)).padStart(2,"0");return`${e<0?"-":"+"}${n(Math.abs(e)/60)}:${n(Math.abs(e)%60)}`}var Si=7;function Ei(t){let{field:e}=t;return e.kind==="boolean"&&!Oe(e)?Cr(t):e.kind==="boolean"?Ti(t,[{value:"true",label:t.say("yes")},{value:"false",label:t.say("no")}]):e.kind==="choices"?_r(t):e.kind==="choice"&&e.options.length<=Si?Ti(t,e.options):o`<div class=${an(t)}>
<label for=${t.id} dir="auto">${e.label}${Bi(t)}</label>
${dn(t)} ${e.kind==="choice"?xr(t):wr(t)}
</div>`}function Ai(t){let{id:e,field:n}=t;return n.kind==="choices"||Oe(n)||n.kind==="choice"&&n.options.length<=Si?`${e}-0`:e}var an=t=>t.error===void 0?"field":"field wrong",Bi=t=>Le(t.field)?o` <span class="required">${t.say("required")}</span>`:l;function Le(t){return t.required&&(t.kind!=="choices"||(t.minItems??0)>0)}function dn(t){let{id:e,field:n,error:i,say:s}=t,r=Ri(n,s);return o`
${n.description?o`<p class="hint" id="${e}-about" dir="auto">${n.description}</p>`:l}
${r?o`<p class="hint" id="${e}-hint">${r}</p>`:l}
${i===void 0?l:o`<p class="error" id="${e}-error"><span class="hidden">${s("error")} </span>${i}</p>`}
`}function De(t){let e=[];return t.field.description&&e.push(`${t.id}-about`),Ri(t.field,t.say)&&e.push(`${t.id}-hint`),t.error!==void 0&&e.push(`${t.id}-error`),e.length>0?e.join(" "):l}function Ri(t,e){switch(t.kind){case"number":case"integer":return Ci(t)?e("hintDefault"):on(t.minimum,t.maximum,e);case"choices":{let n=on(t.minItems||void 0,t.maxItems,e);return n&&e("hintChoices",{range:vr(n)})}case"string":{if(t.format==="date-time")return e("localTime",{offset:rn(new Date)});let n=on(t.minLength!==void 0&&t.minLength>1?t.minLength:void 0,t.maxLength,e);return n&&e("hintLength",{range:n})}}return""}function on(t,e,n){return t!==void 0&&t===e?n("exactly",{low:t}):t!==void 0&&e!==void 0?n("from",{low:t,high:e}):t!==void 0?n("atLeast",{low:t}):e===void 0?"":n("atMost",{high:e})}var vr=t=>t.charAt(0).toLowerCase()+t.slice(1);function wr(t){let{id:e,field:n,entry:i,enter:s}=t,r=typeof i=="string"?i:"",a=m=>s(m.target.value);if(n.kind==="string"&&n.format===void 0&&kr(n))return o`<textarea id=${e} rows="4" dir="auto" .value=${H(r)} @input=${a}
aria-describedby=${De(t)} aria-required=${Le(n)} aria-invalid=${t.error!==void 0}></textarea>`;let{type:c,mode:u}=$r(n);return o`<input id=${e} type=${c} inputmode=${u??l} autocomplete="off" dir="auto"
spellcheck=${u?"false":l} autocapitalize=${u?"off":l} step=${c==="datetime-local"?"any":l}
.value=${H(r)} @input=${a}
aria-describedby=${De(t)} aria-required=${Le(n)} aria-invalid=${t.error!==void 0} />`}function $r({kind:t,format:e,minimum:n}){return t!=="string"?{type:"text",mode:(n??-1)<0?"text":t==="integer"?"numeric":"decimal"}:{type:e==="date"?e:e==="date-time"?"datetime-local":"text",mode:e==="email"?e:e==="uri"?"url":void 0}}function kr(t){let e=typeof t.default=="string"?t.default:"";return(t.maxLength??0)>200||(t.minLength??0)>100||e.length>200||e.includes(`
`)}function xr(t){let{id:e,field:n,entry:i,say:s,enter:r}=t;return o`<select id=${e} @change=${c=>{let u=c.target.selectedIndex-1;r(n.options[u]?.value)}} aria-describedby=${De(t)}
aria-required=${Le(n)} aria-invalid=${t.error!==void 0}>
<option value="" .selected=${i===void 0}>${s("choose")}</option>
${n.options.map(c=>o`<option .selected=${c.value===i}>${ln(c,s)}</option>`)}
</select>`}var ln=(t,e)=>t.label.trim()===""?e("emptyOption"):t.label;function Ti(t,e){let{id:n,field:i,entry:s,say:r,enter:a}=t,c=f=>i.kind==="boolean"?f==="true":f,u=!i.required&&i.default===void 0&&!t.sure,m=(f,g,T)=>Pi(o`<input type="radio" id=${f} name=${n} .checked=${H(s===g)} @change=${()=>a(g)} />`,T);return Mi(t,!0,[e.map((f,g)=>m(`${n}-${g}`,c(f.value),ln(f,r))),u?m(l,void 0,r("noAnswer")):l])}function _r(t){let{id:e,field:n,say:i,enter:s}=t,r=u=>Array.isArray(t.entry)&&t.entry.includes(u),a=(u,m)=>s(n.options.map(f=>f.value).filter(f=>f===u?m:r(f))),c=(u,m)=>Pi(o`<input type="checkbox" id="${e}-${m}" .checked=${H(r(u.value))} aria-invalid=${t.error!==void 0}
@change=${f=>a(u.value,f.target.checked)} />`,ln(u,i));return Mi(t,!1,n.options.map(c))}var Pi=(t,e)=>o`<label class="option">${t} <span dir="auto">${e}</span></label>`;function Mi(t,e,n){let{id:i,field:s}=t;return o`<div class=${an(t)} role=${e?"radiogroup":"group"} aria-labelledby="${i}-label" aria-describedby=${De(t)}
aria-required=${e?Le(s):l} aria-invalid=${e?t.error!==void 0:l}>
<div class="legend" id="${i}-label" dir="auto">${s.label}${Bi(t)}</div>
${dn(t)} ${n}
</div>`}function Cr(t){let{id:e,field:n,entry:i,enter:s}=t;return o`<div class=${an(t)}>
<label class="option">
<input type="checkbox" id=${e} .checked=${H(i===!0)} aria-describedby=${De(t)} aria-invalid=${t.error!==void 0}
@change=${r=>s(r.target.checked)} />
<span class="strong" dir="auto">${n.label}</span>
</label>
${dn(t)}
</div>`}var M={...oe,connect:R(S`<path d="M10 14a4.5 4.5 0 0 0 6.4 0l3.2-3.2a4.5 4.5 0 0 0-6.4-6.4L11.7 6M14 10a4.5 4.5 0 0 0-6.4 0l-3.2 3.2a4.5 4.5 0 0 0 6.4 6.4L12.3 18"/>`),tool:R(S`<path d="M14.5 6.5a4 4 0 0 1 5-1.2l-2.7 2.7 1.4 2 2.6-2.2a4 4 0 0 1-5.6 4.6L8 19.6A2.1 2.1 0 0 1 5 16.6l7-7.3a4 4 0 0 1 2.5-2.8Z"/>`),send:R(S`<path d="M12 19V5.5M6 11l6-6 6 6"/>`),stop:R(S`<rect x="7.5" y="7.5" width="9" height="9" rx="1.5" fill="currentColor"/>`),plus:R(S`<path d="M12 5v14M5 12h14"/>`),down:R(S`<path d="M12 5v13.5M6 13l6 6 6-6"/>`),copy:R(S`<rect x="9" y="9" width="11" height="11" rx="2"/><path d="M5.5 15H5a1.5 1.5 0 0 1-1.5-1.5V5A1.5 1.5 0 0 1 5 3.5h8.5A1.5 1.5 0 0 1 15 5v.5"/>`),again:R(S`<path d="M19.5 12a7.5 7.5 0 1 1-2.2-5.3M19.5 3.5v4h-4"/>`),chevron:R(S`<path d="m9 6 6 6-6 6"/>`)};function Oi(t,e){let{question:n,service:i,say:s}=t;return yi(Li(t),Tr(t),e,o`${n.message.trim()===""?l:o`<div class="message">
${qe(n)?l:o`<span class="from isolate" dir=${Yt(s("says",{service:""}))}>${s("says",{service:i})}</span>`}
${Sr(n)}
</div>`}
${Er(t)}
${n.context.account?o`<p class="account">${s("account")} <bdi>${p(n.context.account)}</bdi></p>`:l}`)}function Tr({kind:t,question:e}){return e.context.trigger==="tool_approval"?M.approval:t==="waiting"?M.clock:t==="unsupported"?M.form:M[t]}var qe=({context:t})=>(t.trigger==="tool_approval"||t.trigger==="approvers")&&t.server!==void 0,we=t=>t.context.trigger==="tool_approval"||qe(t),cn=t=>we(t)?J(Pe(Ze(t.message))):re(t.message);function Sr(t){let e=cn(t);return we(t)?qe(t)?o`<div class="words exact whole" dir="ltr" role="region" aria-labelledby="title">${e}</div>`:o`<div class="words exact" dir="ltr">${e}</div>`:o`<div class="words" dir="auto">${e}</div>`}var Li=t=>({title:ct(t),direction:Yt(ct({...t,service:""}))});function ct(t){let{kind:e,question:n,service:i,say:s}=t,{trigger:r}=n.context;return r==="tool_approval"?s("approvalTitle",{service:i}):r==="approvers"?s("waitingTitle",{service:i}):e==="connect"?s(r==="credential_required"?"connectTitle":"visitTitle",{service:i}):s("formTitle",{service:i})}function Di(t,e){return vi(Li(t),e)}function Er(t){switch(t.kind){case"connect":return Ar(t);case"approval":return o`${qe(t.question)?l:Ii(t)} ${Pr(t)}`;case"waiting":return o`${Rr(t)} ${W(t.problem)}
<div class="buttons">${Ne(t,"takeBack")}</div>`;case"form":return o`${t.question.context.trigger==="tool_approval"&&!qe(t.question)?Ii(t):l} ${qr(t)}`;case"unsupported":return o`<p>${t.say("unsupported")} <a href=${t.hosted} target="_blank" rel="noopener">${t.say("hosted")}</a></p>
${W(t.problem)}
<div class="buttons">${Ne(t,"decline")}</div>`}}function Ar(t){let{address:e,say:n}=t;if(!e)return o`${W(n("unsafe"))} ${W(t.problem)}
<div class="buttons">${Ne(t,"dismiss")}</div>`;let i=n(t.question.context.trigger==="credential_required"?"connect":"visit");return o`
<dl>
<div>
<dt>${n("address")}</dt>
<dd><code class="address">${e.before}<strong>${e.trust}</strong>${e.after}</code></dd>
</div>
</dl>
${e.insecure?o`<p class="warn">${M.warning}<span>${n("insecure")}</span></p>`:l} ${Br(t,e)} ${W(t.problem)}
<div class="buttons">
${e.foreign?o`<a class="button primary" id="go" href=${e.href} target="_blank" rel="noopener noreferrer"
@click=${t.open}>${i}</a>`:o`<button type="button" class="primary" id="go" @click=${t.open}>
${t.phase==="opened"?n("openAgain"):i}
</button>`}
${Ne(t,"dismiss")}
</div>
`}function Br(t,e){let{say:n,phase:i}=t,s=o`<a href=${e.href}>${n("sameWindow")}</a>`;switch(i){case"opened":return o`<p class="status">
${M.clock}<span>${n(e.foreign?"openedTab":"opened")} ${e.foreign?l:s}</span>
</p>`;case"blocked":return W(o`${n("blocked")} ${s}`);case"confirming":return o`<p class="status">${M.clock}<span>${n("confirming")}</span></p>`}return l}var Ii=({question:t,say:e})=>wi(t.context.tool,t.context.arguments??"",e);function Rr({question:t,say:e}){let n=t.approvers;if(!n)return l;let i=n.people.filter(s=>s.decision&&s.decision!=="deny").length;return o`<div class="panel">
<p id="panel" aria-live="polite">${e("approversHave",{have:i,need:n.need})}</p>
<ul aria-labelledby="panel">
${n.people.map(s=>{let r=s.decision==="deny"?"bad":s.decision?"good":"neutral",a={good:M.done,bad:M.no,neutral:M.clock}[r],c=r==="good"?"approverAllowed":r==="bad"?"approverDenied":s.withdrawn?"approverLeft":s.late?"approverLate":"approverAsked";return o`<li class=${r}>${a}<bdi>${p(s.name)}</bdi><span>${e(c)}</span></li>`})}
</ul>
</div>`}function Pr(t){let e=t.fields[0].options,n=e.find(s=>s.value==="asked_back"),i=e.find(s=>s.value==="changed");return o`${W(t.problem)}<div class="buttons">${e.filter(s=>s!==n&&s!==i).map(s=>un(t,s))}</div>
${Mr(t,i)}${Or(t)}${Ir(t,n)}`}function un({say:t,phase:e,decide:n},{value:i,label:s}){return o`<button type="button" class=${i==="allow_once"?"primary":""} data-decision=${i}
aria-disabled=${e==="sending"} @click=${()=>n(i)}>
${s===i&&Dr(i)?t(i):p(s)}
</button>`}var ut=(t,e,n=!1)=>Ei({id:`field-${t.fields.indexOf(e)}`,field:e,entry:t.entries[e.name],error:t.errors[e.name],say:t.say,sure:n,enter:i=>t.enter(e.name,i)}),pn=(t,e)=>o`<details class="narrow"><summary>${t}</summary><div class="form">${e}</div></details>`;function Mr(t,e){return e?pn(t.say("edit"),o`${t.fields.filter(I).map(n=>ut(t,n))}
<div class="buttons">${un(t,e)}</div>`):l}function Ir(t,e){let n=t.fields.filter(i=>i.kind==="string"&&!I(i));return n.length===0&&!e?l:pn(t.say(e?"remark":"sayWhy"),o`${n.map(i=>ut(t,i))} ${e?o`<div class="buttons">${un(t,e)}</div>`:l}`)}function Or(t){let{fields:e,entries:n,say:i}=t,s=e.slice(1).filter(r=>r.kind==="choice"&&!I(r));return s.length===0?l:pn(i("narrow"),o`${s.map(r=>ut(t,r,!0))}
${s.some(r=>n[r.name]!==void 0)?o`<div class="buttons"><button type="button" @click=${()=>s.forEach(r=>t.enter(r.name,void 0))}>${i("noLimits")}</button></div>`:l}`)}var Lr=["allow_once","always_allow","deny","asked_back"],Dr=t=>Lr.includes(t);function qr(t){let{fields:e,say:n}=t;return o`<form class="form" novalidate @submit=${t.submit}>
${e.map(i=>ut(t,i))}
${W(t.problem)}
<div class="buttons">
<button class="primary" aria-disabled=${t.phase==="sending"}>${n(t.phase==="sending"?"sending":"submit")}</button>
${Ne(t,"decline")}
</div>
</form>`}function Ne(t,e){return o`<button type="button" class="quiet" id="decline" aria-disabled=${t.phase==="sending"} @click=${t.decline}>
${t.say(e)}
</button>`}function pt(t,e,n,i){let s=Fr(e,n,i),r=t.context.trigger==="credential_required";if(t.context.trigger==="approvers")return Nr(e,s,i);switch(e.action){case"accept":return n.answered&&n.decision!==void 0?qi(n.decision,n.chosen,"",i):e.decision!==void 0?qi(e.decision,Ur(t,e),s,i):r?{tone:"good",sentence:i("connected",{place:s})}:{tone:"good",sentence:i(t.mode==="url"?"visited":"answered",{place:s})};case"decline":return{tone:"bad",sentence:i(r?"notConnected":"declined",{place:s})};case"expire":return{tone:"neutral",sentence:i("expired")}}return e.by?{tone:"neutral",sentence:i("cancelled",{place:s})}:Ni(e,i)}function Ni({reason:t=""},e){return{tone:"neutral",sentence:e(t==="superseded"?t:"withdrawn",{reason:p(/: .*/s.exec(t)?.[0]??"")})}}function Nr(t,e,n){if(t.action==="expire")return{tone:"neutral",sentence:n("expired")};if(t.by)return{tone:"neutral",sentence:n("takenBack",{place:e})};let i=p(t.reason??"");return t.action==="accept"?{tone:"good",sentence:n("othersAllowed",{reason:i})}:t.action==="decline"?{tone:"bad",sentence:n("othersDenied",{reason:i})}:Ni(t,n)}function Ur(t,{decision:e,limits:n}){return hn(ve(t.requestedSchema)??[],{...n,decision:e})}function hn(t,e){return t.flatMap(({name:i,options:s})=>s.find(r=>r.value===e[i]&&r.label!==r.value)?.label??[]).map(p).join(" · ")}function qi(t,e,n,i){switch(t){case"allow_once":return{tone:"good",sentence:i("allowed_once",{place:n})};case"always_allow":return{tone:"good",sentence:e?i("allowed_as",{chosen:e,place:n}):i("allowed_always",{place:n})};case"changed":return{tone:"good",sentence:i("allowed_changed",{place:n})};case"asked_back":return{tone:"neutral",sentence:i("asked_back_done",{place:n})};case"deny":return{tone:"bad",sentence:i("denied",{place:n})}}return{tone:"good",sentence:i("answered",{place:n})}}function Fr(t,e,n){if(e.answered)return"";switch(t.via){case"page":return n("onPage");case"slack":return n("inSlack");case void 0:case"chat":return e.watched?n("elsewhere"):""}return n("elsewhere")}var ht=t=>e=>e.n===1?`1 ${t}`:`${e.n} ${t}s`,Ui=ht("character"),Fi=ht("choice"),Hr=t=>t<60?ht("second")({n:t}):ht("minute")({n:t/60}),Hi={toolLabel:"Tool",arguments:"Arguments",argumentLines:"Arguments, {n} lines",noArguments:"None",visit:"Open the page",decline:"Decline",submit:"Send answer",sending:"Sending…",openedTab:"Continue in the tab that has opened. This card closes when it is done.",openAgain:"Open it again",unsupported:"This question cannot be shown here.",hosted:"Answer it on its own page",allow_once:"Allow once",deny:"Deny",expiresIn:"{time} left",secondsLeft:t=>`${Hr(Number(t.n))} left to answer ${t.service}.`,answered:"Answered{place}.",declined:"Declined{place}.",cancelled:"Cancelled{place}.",answerUnreachable:"The answer could not be sent. Check your connection and try again.",answerFailed:"The server could not take the answer. Try again.",answerInvalid:"Please correct what is marked.",required:"required",choose:"Choose…",yes:"Yes",no:"No",emptyOption:"(empty)",noAnswer:"No answer",localTime:"Your local time, UTC{offset}",error:"Error:",hintLength:"{range} characters",hintChoices:"Choose {range}",hintDefault:"Leave it empty to send its default, which has too many digits to be shown here.",from:"From {low} to {high}",atLeast:"At least {low}",atMost:"At most {high}",exactly:"Exactly {low}",errorRequired:"{label} is required.",errorDefault:"{label} cannot be left empty; its default is {n}.",errorNumber:"{label} must be a number.",errorInteger:"{label} must be a whole number.",errorDigits:"{label} has too many digits to be sent from here exactly.",errorMinimum:"{label} must be at least {n}.",errorMaximum:"{label} must be at most {n}.",errorMinLength:t=>`${t.label} must be at least ${Ui(t)} long.`,errorMaxLength:t=>`${t.label} must be at most ${Ui(t)} long.`,errorEmail:"{label} must be an email address such as name@example.com.",errorUri:"{label} must be a full address such as https://example.com/page.",errorDate:"{label} must be a date such as 2026-01-31.",errorDateTime:"{label} must be a date and time.",errorMinItems:t=>`${t.label} must have at least ${Fi(t)}.`,errorMaxItems:t=>`${t.label} must have at most ${Fi(t)}.`};function Ji(t,e={}){return typeof t=="function"?t(e):t.replace(/\{(\w+)\}/g,(n,i)=>i in e?String(e[i]):n)}var Jr={...Hi,log:"Conversation",you:"You",assistant:"Assistant",placeholder:"Write a message",send:"Send",stop:"Stop",newConversation:"New conversation",empty:"Ask something to begin.",loading:"Loading the conversation…",thinking:"Working…",copyAnswer:"Copy answer",copyCode:"Copy code",copied:"Copied",again:"Ask again",turnFailed:"This answer failed.",turnStopped:"You stopped this answer.",taskDone:"done:",taskOpen:"to do:",stopped:"You stopped watching this answer. What was begun may go on.",resume:"Show the rest",waiting:t=>t.n===1?"A question waits for you":`${t.n} questions wait for you`,latest:"Latest message",unsent:"Not sent",lost:"The connection was lost. Trying again…",troubled:"{said} Trying again…",tryNow:"Try now",retry:"Try again",unreachable:"The server could not be reached. Check your connection and try again.",unreachableFrom:"The server could not be reached, or does not let pages of {origin} use it. Check your connection; if others can reach it, tell whoever runs it to list this origin.",signedOut:"You are not signed in, or no longer. Sign in and try again.",forbidden:"You may not do this. Ask whoever runs this site for access.",tooMany:"That was too much at once. Wait a moment and try again.",failed:"Something went wrong at the server. Try again.",connectLink:"Connect",tool:"Tool",toolCalls:"{n} tool calls",toolsDone:"all done",toolsFailed:"{n} failed",toolWriting:"preparing",toolRunning:"running",toolAsking:"waits for you",toolOthers:"waits for others",toolDone:"done",toolFailed:"failed",toolDenied:"denied",toolInput:"Input",toolOutput:"Result",toolError:"Error",image:"Image",imageGone:"{name} cannot be shown.",progressOf:"{done} of {total}",connectTitle:"Connect {service}",visitTitle:"{service} asks you to open a page",approvalTitle:"{service} needs your approval",waitingTitle:"Others decide about {service}",approversHave:"Allowed by {have} of the {need} who are needed.",approverAllowed:"allowed it",approverDenied:"denied it",approverAsked:"is asked",approverLate:"did not answer in time",approverLeft:"is no longer asked",othersAllowed:"Allowed: {reason}.",othersDenied:"Not allowed: {reason}.",takenBack:"You took it back{place}.",takeBack:"Take it back",formTitle:"{service} asks you",someone:"A service without a name",says:"{service} says:",account:"You answer as",address:"You will go to",insecure:"This address is not encrypted: others on the network can read what you enter there.",unsafe:"The address of this question is not safe to open, so it is not offered. You can dismiss the question.",connect:"Connect",dismiss:"Dismiss",opened:"Continue in the window that has opened. This card closes when it is done.",blocked:"Your browser kept the window from opening.",sameWindow:"Open it in this window instead",confirming:"Done there. Waiting for the server to confirm…",noLimits:"Take the limits back",remark:"Say why, or ask back",sayWhy:"Say why",narrow:"Limits for a permission that stays",limitsUnused:"You set limits for a permission that stays. Press “{always}” to use them, or take them back.",always_allow:"Always allow",edit:"Change the arguments",asked_back:"Ask back",expiresAt:"Open until {time}",announce:"Question from {service}: {message}",connected:"Connected{place}.",notConnected:"Not connected: you dismissed it{place}.",visited:"Done{place}.",allowed_once:"You allowed it once{place}.",allowed_always:"You allowed it from now on{place}.",allowed_changed:"You allowed it with changes{place}.",allowed_as:"You chose{place}: {chosen}.",denied:"You denied it{place}.",asked_back_done:"You asked back{place}: the call was not made.",withdrawn:"No longer asked{reason}.",superseded:"A newer question has taken its place.",expired:"Expired. Nobody answered in time.",onPage:" on the hosted page",inSlack:" in Slack",elsewhere:" elsewhere",answerSignedOut:"You are not signed in, or no longer. Sign in and answer again.",answerForbidden:"This question is not yours to answer, or it does not exist any more.",answerSettled:"Answered elsewhere in the meantime."};function mt(t){return(e,n)=>Ji(t?.[e]??Jr[e],n)}var mn=mt({allowed_once:"Allowed once{place}.",allowed_always:"Allowed from now on{place}.",allowed_as:"Chosen{place}: {chosen}.",allowed_changed:"Allowed with changes{place}.",denied:"Denied{place}.",asked_back_done:"Asked back{place}: the call was not made.",takenBack:"Taken back{place}.",notConnected:"Not connected: dismissed{place}."}),Wr=new Intl.DateTimeFormat(void 0,{dateStyle:"medium",timeStyle:"short"});function w(t){let e=new Date(t??"");return Number.isNaN(e.valueOf())?"":Wr.format(e)}var $e=t=>p(d(t.server_title)||d(t.server)||""),ft=t=>se(dt(t)||mn("someone"));function V({question:t}){let{tool:e,trigger:n}=t.context;return e&&n==="tool_approval"?`${se(e)} at ${ft(t)}`:ct({kind:t.mode==="url"?"connect":"form",question:t,service:ft(t),say:mn})}function ke(t){let{question:e,long:n}=t,{tool:i,trigger:s,server:r}=e.context,a=we(e)?Ze(e.message):e.message;if(!i||!r||s!=="tool_approval"&&s!=="approvers")return J(Wi(a));let[,c]=n?[]:/\nArguments:([^]*)/.exec(a)??[];return[`May ${se(i)} be called${Q(t)}? `,...J(Wi(c??""))]}var Q=({asker:t,asks:e})=>t?` ${e?"by":"for"} ${se(t)}`:"",Wi=t=>Re(t.trim().replace(/\s*\n\s*/g," "),he),jr={inbox:"in the inbox",page:"on its page",chat:"in the chat",slack:"in Slack",terminal:"in the terminal"};function zr(t,e){return!t||!e||t==="deny"==(e==="deny")?"":e==="deny"?"In the end it was not allowed.":"In the end it was allowed."}function gt({question:t,final:e}){let n=t.outcome;if(!n)return{tone:"neutral",sentence:"",where:""};let i=pt(t,{...n,via:"chat"},{answered:!1,watched:!1},mn),s=n.by?`by ${p(n.by)}`:"",r=zr(n.decision,e),a=n.via?jr[n.via]??`through ${p(n.via)}`:"";return{...r?{tone:"neutral",sentence:`${i.sentence} ${r}`}:i,where:[s,a,w(n.at)].filter(c=>c!=="").join(" · ")}}var Kr={pending:"Open",settled:"Settled","":"All"},yt=class extends y{static styles=[$,k,x,O];#e="pending";#n="";#t=[];#s;#i=!1;#r;#o="";#a="";#d;#c=0;firstUpdated(){this.#u(!0)}async#u(e){let n=++this.#c;this.#i=!0,this.#r=void 0,this.requestUpdate();try{let i=new URLSearchParams({limit:"50",...this.#e&&{state:this.#e},...this.#n&&{user:this.#n},...!e&&this.#s&&{cursor:this.#s}}),s=be(await b(`/api/elicitations?${i}`),location.origin);if(n!==this.#c)return;this.#t=e?s.items:[...this.#t,...s.items],this.#s=s.next}catch(i){if(n!==this.#c)return;this.#r=i.message}this.#i=!1,this.requestUpdate()}#h=e=>{e.preventDefault();let n=this.renderRoot.querySelector("form"),i=new FormData(n);this.#e=String(i.get("state")??""),this.#n=String(i.get("user")??"").trim(),this.#u(!0)};render(){let e=this.#t.length===0&&!this.#i&&!this.#r&&!this.#s;return o`<div class="bar"><h2 tabindex="-1">Questions of the tenant</h2></div>
<form class="filter" @submit=${this.#h}>
<label>Which<select name="state" @change=${this.#h}>${Object.entries(Kr).map(([n,i])=>o`<option value=${n} ?selected=${n===this.#e}>${i}</option>`)}</select></label>
<label>Whose<input name="user" autocomplete="off" placeholder="everybody" /></label>
<button>Show</button>
</form>
<div role="status" class="meta">${this.#a}</div>
${e?o`<p class="empty">No such question is there.</p>`:l}
<ul class="things">${this.#t.map(n=>this.#m(n))}</ul>
${this.#r?o`<p class="problem" role="alert">${this.#r}</p>`:l}
${this.#s||this.#r?o`<p><button type="button" @click=${()=>{this.#u(!1)}}>${this.#i?"Reading…":"Show more"}</button></p>`:l}`}#m(e){let n=e.question.context.account,i=gt(e);return o`<li class="thing">
<div class="about">
<strong dir="auto">${bt(e)}</strong>
<div class="clip" dir="auto">${ke(e)}</div>
<div class="meta">To ${n?p(n):"a group"} · asked ${w(e.createdAt)}${Q(e)}${e.pending?` · open until ${w(e.question.expiresAt)}`:""}</div>
</div>
<div class="side">
${e.pending?this.#p(e):o`<span class=${i.tone}>${i.sentence}</span><div class="meta">${i.where}</div>`}
</div>
${B(this.#d,e.id)}
</li>`}#p(e){let n=i=>()=>{this.#o=i,this.requestUpdate()};return this.#o!==e.id?o`<button type="button" aria-label="Withdraw: ${bt(e)}" @click=${n(e.id)}>Withdraw</button>`:o`<button type="button" class="primary" aria-label="Really withdraw: ${bt(e)}" @click=${()=>{this.#l(e)}}>Really withdraw</button>
<button type="button" class="quiet" @click=${n("")}>Keep</button>`}async#l(e){this.#o="",this.#d=void 0;try{await b(`/api/elicitations/${encodeURIComponent(e.id)}/cancel`,{method:"POST"}),this.#a=`Withdrawn: ${bt(e)}.`}catch(n){return this.#d={at:e.id,text:n.message,bad:!0},this.requestUpdate(),z(this)}await this.#u(!0),this.renderRoot.querySelector("h2")?.focus()}};function bt({question:t}){let{trigger:e,tool:n}=t.context,i=ft(t);return e==="credential_required"?`Account for ${i}`:e==="approvers"?`Waiting for others: ${i}`:e==="tool_approval"?n?`Approval of ${p(n)}, ${i}`:`Approval for ${i}`:`Question of ${i}`}function L(t){return v(t).flatMap(e=>{let n=h(e);return n?[n]:[]})}var Y=t=>L(h(t)?.items);function xe(t,e){return o`<table role="table">
<thead role="rowgroup">
<tr role="row">${t.map(n=>o`<th role="columnheader" scope="col">${n}</th>`)}</tr>
</thead>
<tbody role="rowgroup">
${e.map(n=>o`<tr role="row">${n.map((i,s)=>Gr(i,t[s]))}</tr>`)}
</tbody>
</table>`}var Gr=(t,e)=>o`<td role="cell" data-label=${e} class=${t.class||l} dir=${t.dir??l}>${t.content}</td>`,_e=_`
table {
inline-size: 100%;
border-collapse: collapse;
}
th,
td {
padding: 0.5rem;
border-block-end: 1px solid var(--_hair);
text-align: start;
vertical-align: top;
}
th {
min-inline-size: 6.5rem;
}
td.words {
white-space: pre-wrap;
}
.scrolls {
overflow-x: auto;
}
.scrolls > table {
min-inline-size: 38rem;
font-size: 0.875rem;
overflow-wrap: break-word; /* what is too wide scrolls */
}
@media (max-width: 48rem) {
.scrolls > table {
min-inline-size: 0;
overflow-wrap: anywhere;
}
table,
tbody,
tr,
td {
display: block;
}
thead {
position: absolute;
inline-size: 1px;
block-size: 1px;
overflow: hidden;
clip-path: inset(50%);
white-space: nowrap;
}
tr {
margin-block-end: 0.6rem;
padding: 0.5rem 0.8rem;
border: 1px solid var(--_hair);
border-radius: var(--_radius-small);
background: var(--_surface);
}
td {
padding: 0.25rem 0;
border: 0;
}
td:first-child {
font-weight: 650;
}
td:not(:first-child)::before {
content: attr(data-label);
content: attr(data-label) / ""; /* the heading of the column is read out */
display: block;
color: var(--_muted);
font-size: 0.8rem;
white-space: normal;
}
}
`;function zi(t){let e=h(t)??{};return{since:d(e.since)??"",until:d(e.until)??"",looked:typeof e.looked_at=="number"?e.looked_at:0,counts:h(e.counts)??{},items:L(e.items),complete:e.complete!==!1,unknown:L(e.not_known).flatMap(n=>d(n.text)??[])}}function Ki(t,e){let{position:n,source:i,approvers:s,...r}=t,a={...r};for(let u of["name","server","tool","when","approve","slack","sign"])e(u)?a[u]=e(u):delete a[u];e("page")?a.page=!0:delete a.page;let c=e("of").split(",").map(u=>u.trim()).filter(u=>u!=="");return c.length>0&&(a.approvers={need:Number(e("need"))||1,of:c}),a}function Gi(t){let e=["name","server","tool","when","approve","sign","approvers","page","slack","position","source"];return Object.keys(t).filter(n=>!e.includes(n))}function fn(t){let e=v(t?.of).flatMap(n=>d(n)??[]);return`${String(t?.need??1)} of ${e.map(p).join(", ")}`}var Vr=[["refuse","would have been refused","would have been refused"],["approvers","would have needed approvers","would have needed approvers"],["ask","would have been asked about","would have been asked about"],["pass","would have passed without a question","would have passed without a question"],["unknown","cannot be judged","cannot be judged"],["unchanged","is as before","are as before"]];function Vi({counts:t}){return`${Vr.flatMap(([n,i,s])=>typeof t[n]=="number"&&t[n]>0?[`${t[n]} ${t[n]===1?i:s}`]:[]).join("; ")}.`}var ji={pass:"nobody is asked",ask:"the person is asked",approvers:"approvers are asked",refuse:"refused",unknown:"not known"};function Qi(t){return xe(["When","Who","Call","By the rules of now","With this rule"],t.map(Qr))}function Qr(t){let e=d(t.then)??"",n=d(t.agent),i=h(t.approvers),s=d(t.why),r=d(t.how);return[{content:w(d(t.at))},{content:o`${p(d(t.user)??"")}<div class="meta">${n?`by ${p(n)}`:"through the gateway"}</div>`},{content:o`${p(d(t.tool)??"")}, ${$e(t)}${r?o`<div class="meta">it ${p(r).replace("refused","was refused")}</div>`:""}`},{content:ji[d(t.now)??""]??""},{content:o`${ji[e]??""}${i?`: ${fn(i)}`:""}${s?o`<div class="meta" dir="auto">${p(s)}</div>`:""}`,class:e==="refuse"?"bad":void 0}]}var Yr=[["day",86400],["hour",3600],["minute",60],["second",1]];function Yi(t){let[e,n]=Yr.find(([,i])=>t%i===0&&t>=i)??["second",1];return`${t/n} ${e}${t===n?"":"s"}`}var Zr={allow_once:"allow once",always_allow:"always allow",changed:"allow with changes",deny:"deny",asked_back:"ask back"};function Zi(t){let e=t.ttl_seconds,n=v(t.choices).flatMap(s=>d(s)??[]).filter(s=>s!=="deny"),i=v(t.escalate).flatMap(s=>Xr(h(s)));return[typeof e=="number"&&e>0?`Who is asked has ${Yi(e)}.`:"",i.length>0?`Then it also asks ${i.join(", ")}.`:"",t.page===!0?"It is decided on its signed-in page, and nowhere else.":"",d(t.slack)?`The approvers are asked in the Slack channel ${p(d(t.slack))}.`:"",t.sign==="passkey"?"Who allows such a call signs it with a passkey, on its page.":"",n.length>0?`Who is asked may say: ${[...n,"deny"].map(s=>Zr[s]??p(s)).join(", ")}.`:""].filter(s=>s!=="")}function Xr(t){let e=v(t?.to).flatMap(i=>d(i)??[]),n=t?.after_seconds;return e.length>0&&typeof n=="number"?[`${e.map(p).join(" and ")} after ${Yi(n)}`]:[]}var Xi={always:"asks for every such call",unsafe:"asks for such calls of tools that are not read-only",never:"asks nobody",refuse:"refuses such calls"},eo={"":"wherever it is shown",page:"on its signed-in page only"},to={1:"the last day",7:"the last week",30:"the last 30 days"},vt=class extends y{static styles=[$,k,x,O,_e];#e;#n={};#t;#s=!1;#i;#r="";#o="";firstUpdated(){this.#d("list",()=>this.#a())}async#a(){this.#e=Y(await b("/api/rules"))}async#d(e,n){this.#i=void 0,this.requestUpdate();try{await n()}catch(i){this.#i={at:e,text:i.message,bad:!0}}return this.#s=!1,this.requestUpdate(),await z(this),this.#i===void 0}render(){return o`<div class="bar"><h2 tabindex="-1">Rules</h2></div>
<div role="status" class="meta">${this.#r}</div>
${B(this.#i,"list")}
${this.#e?.length===0?o`<p class="empty">There is no rule. What a server says holds: approve, in its settings.</p>`:l}
<ol class="things">${this.#e?.map(e=>this.#c(e))}</ol>
<p class="meta">The first that fits a call counts; of the configuration's and the tenant's own, the stricter.</p>
${this.#h()} ${B(this.#i,"form")} ${this.#f()}`}#c(e){let n=d(e.name)??"",i=e.source==="api";return o`<li class="thing">
<div class="about">
<strong>${p(n)}</strong>
<div>${no(e)} ${e.approvers?`asks ${fn(h(e.approvers))}`:Xi[d(e.approve)??""]??""}.</div>
${e.when?o`<div>Only when <code>${p(d(e.when)??"")}</code></div>`:l}
${Zi(e).map(s=>o`<div class="meta">${s}</div>`)}
<div class="meta">${i?"Of the tenant":"Of the configuration: it is changed there"}</div>
</div>
<div class="side">${i?this.#u(e,n):l}</div>
${B(this.#i,`rule ${n}`)}
</li>`}#u(e,n){let i=s=>()=>{this.#o=s,this.requestUpdate()};return this.#o===n?o`<button type="button" class="primary" aria-label="Really remove: ${p(n)}" @click=${()=>{this.#y(n)}}>Really remove</button>
<button type="button" class="quiet" @click=${i("")}>Keep</button>`:o`<button type="button" aria-label="Try a change of ${p(n)}" @click=${()=>this.#m(e)}>Try a change</button>
<button type="button" class="quiet" aria-label="Remove: ${p(n)}" @click=${i(n)}>Remove</button>`}#h(){let e=this.#n,n=h(e.approvers),i=r=>d(e[r])??"",s=Gi(e);return o`<h3 tabindex="-1" id="trying">Try a rule</h3>
<p class="meta">It is judged on the calls that were recorded. Nothing holds before you store it.</p>
${s.length>0?o`<p class="meta">It keeps what is not asked for here: ${s.map(p).join(", ")}.</p>`:l}
<form class="filter" @submit=${this.#l} @input=${this.#p}>
<label>Name<input name="name" required autocomplete="off" maxlength="64" pattern="[A-Za-z0-9][A-Za-z0-9_\\-]*" .value=${i("name")} /></label>
<label>Server<input name="server" autocomplete="off" maxlength="100" placeholder="any; * and ? stand for others" .value=${i("server")} /></label>
<label>Tool<input name="tool" autocomplete="off" maxlength="100" placeholder="any" .value=${i("tool")} /></label>
<label>What it does<select name="approve">${Object.entries(Xi).map(([r,a])=>o`<option value=${r} ?selected=${r===(i("approve")||"always")}>${a}</option>`)}</select></label>
<label class="long">Only when (an expression, such as args.amount &gt; 100)<input name="when" autocomplete="off" spellcheck="false" maxlength="4096" .value=${i("when")} /></label>
<label>Approvers<input name="of" autocomplete="off" placeholder="instead of the person" .value=${v(n?.of).flatMap(r=>d(r)??[]).join(", ")} /></label>
<label>How many of them<input name="need" type="number" min="1" max="50" .value=${String(n?.need??1)} /></label>
<label>Where they are asked<input name="slack" autocomplete="off" maxlength="64" pattern="(T[A-Z0-9]+/)?[CG][A-Z0-9]+" title="The id of a channel of Slack's, such as C0123456, or those of workspace and channel: T0123456/C0123456" placeholder="a Slack channel, by its id" .value=${i("slack")} /></label>
<label>Where it is decided<select name="page">${Object.entries(eo).map(([r,a])=>o`<option value=${r} ?selected=${r!==""==(e.page===!0)}>${a}</option>`)}</select></label>
<label>How it is allowed<select name="sign"><option value="">without a signature</option><option value="passkey" ?selected=${i("sign")==="passkey"}>signed with a passkey</option></select></label>
<label>On the calls of<select name="days">${Object.entries(to).map(([r,a])=>o`<option value=${r} ?selected=${r==="7"}>${a}</option>`)}</select></label>
<button class="primary" aria-disabled=${this.#s}>${this.#s?"Trying…":"Try it"}</button>
</form>`}#m(e){this.#n=e,this.#t=void 0,this.requestUpdate(),this.updateComplete.then(()=>this.renderRoot.querySelector("#trying")?.focus())}#p=()=>{this.#t&&(this.#t=void 0,this.requestUpdate())};#l=e=>{if(e.preventDefault(),this.#s)return;let n=new FormData(e.target),i=Ki(this.#n,r=>String(n.get(r)??"").trim()),s=new Date(Date.now()-Number(n.get("days"))*24*36e5).toISOString();this.#n={...i},this.#t=void 0,this.#s=!0,this.#d("form",async()=>{this.#t={rule:i,trial:zi(await gn("/api/rule-trials","POST",{rule:i,since:s}))}}).then(r=>r&&this.renderRoot.querySelector("#found")?.focus())};#f(){if(!this.#t)return l;let{rule:e,trial:n}=this.#t,i=this.#e?.some(s=>s.name===e.name&&s.source==="api");return o`<h3 tabindex="-1" id="found">What it would have done</h3>
<p>
${n.looked===0?o`No call was recorded from ${w(n.since)} to ${w(n.until)}.`:o`Of ${n.looked} calls from ${w(n.since)} to ${w(n.until)}: ${Vi(n)}`}
</p>
${n.complete?l:o`<p class="notice">There were more calls than one trial looks at, so these are not all.</p>`}
${n.items.length>0?o`<div class="scrolls" tabindex="0" role="region" aria-label="Calls for which it makes a difference">${Qi(n.items)}</div>`:l}
<details>
<summary>What a trial cannot know</summary>
<ul>${n.unknown.map(s=>o`<li>${s}</li>`)}</ul>
</details>
<p><button type="button" @click=${()=>{this.#g(e,i===!0)}}>${i?"Change":"Store"} the rule ${p(d(e.name)??"")}</button></p>
${B(this.#i,"store")}`}async#g(e,n){let i=d(e.name)??"";await this.#d("store",async()=>{await(n?gn(`/api/rules/${encodeURIComponent(i)}`,"PUT",e):gn("/api/rules","POST",e)),this.#r=`Stored: ${p(i)}. It holds from now on.`,this.#t=void 0,this.#n={},await this.#a()})&&this.renderRoot.querySelector("h2")?.focus()}async#y(e){this.#o="",await this.#d(`rule ${e}`,async()=>{await b(`/api/rules/${encodeURIComponent(e)}`,{method:"DELETE"}),this.#r=`Removed: ${p(e)}.`,this.#t=void 0,await this.#a()})&&this.renderRoot.querySelector("h2")?.focus()}},gn=(t,e,n)=>b(t,{method:e,body:JSON.stringify(n),headers:{"content-type":"application/json"}});function no(t){let e=d(t.server),n=d(t.tool),s=Object.entries({read_only:"read-only",destructive:"destructive",idempotent:"idempotent",open_world:"open to the world"}).flatMap(([a,c])=>t[a]===void 0?[]:[`${t[a]===!0?"":"not "}${c}`]);return`For calls ${[n?`of ${p(n)}`:"",e?n?`at ${p(e)}`:`of ${p(e)}`:"",s.length>0?`whose tool is ${s.join(" and ")}`:""].filter(a=>a!=="").join(" ")||"of every tool"}, it`}var ae=t=>{let e=Date.parse(d(t)??"");return Number.isNaN(e)?void 0:e},io=t=>/^https?:\/\//.test(t)?t:"";function es(t){let e=ae(t.created_at)??0,n=L(t.timeline).flatMap(r=>ro(r)??[]),i=d(t.status)??"",s=Math.max(e,...n.flatMap(r=>[r.from??0,r.to??0]));return{id:d(t.id)??"",user:d(t.user)??"",agent:d(t.agent)??"",parent:d(t.parent)??"",trace:d(t.trace)??"",traceURL:io(d(t.trace_url)??""),status:i,reason:d(t.reason)??"",createdAt:d(t.created_at)??"",from:e,to:i==="ended"?Math.max(s,ae(t.updated_at)??0):Math.max(s,Date.now()),stays:L(t.nodes).flatMap(r=>so(r)??[]),spans:n,count:typeof t.timeline_count=="number"?t.timeline_count:n.length}}function so(t){let e=p(d(t.node)??""),n=ae(t.from);return e&&n!==void 0?{node:e,from:n,after:d(t.after)??""}:void 0}function ro(t){let e=t.kind;if(e!=="model"&&e!=="call"&&e!=="wait")return;let n=h(t.asked)??{},i=d(t.tool)??"",s=d(t.server)??"";return{kind:e,step:typeof t.step=="number"?t.step:0,what:[i,s].filter(r=>r!=="").map(p).join(", "),from:ae(t.from),to:ae(t.to),how:d(t.how),pending:t.pending===!0,asked:p(d(n.to)??""),needed:typeof t.needed=="number"?t.needed:0,words:t.approvers?L(t.approvers).map(oo):ao(n)}}var ts=t=>t!==""&&t!=="deny"&&t!=="asked_back";function oo(t){let e=d(t.decision)??"";return{name:p(d(t.name)??""),decision:e?ns(e):"",yes:ts(e),at:ae(t.at)}}function ao(t){let e=d(t.action);if(!e)return[];let n=d(t.decision)??"",i=d(t.by)??"";return[{name:p(i),decision:n?ns(n):i?lo[e]??p(e):e==="expire"?"expired":"withdrawn",yes:e==="accept"&&(n===""||ts(n)),at:ae(t.at)}]}var lo={accept:"answered",decline:"declined",cancel:"dismissed",expire:"expired"},co={allow_once:"allowed",always_allow:"allowed from now on",deny:"denied",asked_back:"asked back",changed:"allowed with changes"},ns=t=>co[t]??p(t);function is(t,e){return t.after==="left"?`after node ${e.node} died or handed it over`:"after it had waited"}function bn(t){switch(t.kind){case"model":return"The model";case"call":return t.what||"A call"}return`Waiting for ${(t.words.length>0&&t.needed>0?t.words.map(n=>n.name).join(", "):t.asked)||"somebody"}${t.what?`: ${t.what}`:""}`}function yn(t){if(t.kind==="call")return t.how??"";let e=t.words.filter(n=>n.decision!=="").map(n=>[n.name,n.decision].filter(i=>i!=="").join(" "));return t.needed>0&&e.unshift(`${t.needed} needed`),e.join(", ")}function ss(t,e){return t.from===void 0?"":t.pending?`${de(t.from,e.to)} so far`:t.to===void 0?"":de(t.from,t.to)}function de(t,e){let n=Math.max(0,e-t);if(n<1e3)return`${Math.round(n)} ms`;if(n<6e4)return`${(n/1e3).toFixed(n<1e4?1:0)} s`;let i=Math.round(n/6e4);if(i<60)return`${i} min`;let s=Math.floor(i/60);return s<48?i%60?`${s} h ${i%60} min`:`${s} h`:`${Math.floor(s/24)} days${s%24?` ${s%24} h`:""}`}function rs(t,e){let n=[...new Set([t.from,t.to,...t.stays.map(r=>r.from),...e.flatMap(r=>[r.from,r.to,...r.words.map(a=>a.at)])])].filter(r=>r!==void 0&&r>=t.from).sort((r,a)=>r-a),i=new Map,s=0;return n.forEach((r,a)=>{a>0&&(s+=Math.log1p((r-n[a-1])/50)),i.set(r,s)}),{at:r=>i.get(r)??0,total:s||1}}var os=20,uo={working:["neutral","Working"],waiting:["neutral","Waiting"],done:["good","Done"],stopped:["neutral","Stopped"],step_limit:["bad","Stopped after too many steps"],failed:["bad","Failed"]},wt=class extends y{static styles=[$,k,x,O];#e="";#n=[];#t=!1;#s=!0;#i=!1;#r;#o=new Set;firstUpdated(){this.#a(!0)}async#a(e){this.#i=!0,this.#r=void 0,this.requestUpdate();try{let n=e?void 0:this.#n.at(-1),i=new URLSearchParams({limit:String(os),...this.#e&&{user:this.#e},...n&&{until:n.createdAt}}),s=await b(`/api/runs?${i}`),r=Y(s).map(es);this.#n=e?r:[...this.#n,...r],this.#t=r.length===os,this.#s=h(s)?.complete!==!1}catch(n){this.#r=n.message}this.#i=!1,this.requestUpdate()}#d=e=>{e.preventDefault(),this.#e=String(new FormData(e.target).get("user")??"").trim(),this.#a(!0)};render(){return o`<div class="bar"><h2>Runs</h2><button type="button" @click=${()=>{this.#a(!0)}}>Look again</button></div>
<form class="filter" @submit=${this.#d}>
<label>Whose<input name="user" autocomplete="off" placeholder="everybody" /></label>
<button>Show</button>
</form>
${this.#s?l:o`<p class="notice">There are more runs than one look goes through, so some may be missing. Name a person to see all of theirs.</p>`}
${this.#n.length===0&&!this.#i&&!this.#r?o`<p class="empty">No agent was asked anything yet, or it was forgotten.</p>`:l}
<ul class="things">${this.#n.map(e=>this.#c(e))}</ul>
${this.#r?o`<p class="problem" role="alert">${this.#r}</p>`:l}
${this.#t||this.#r?o`<p><button type="button" @click=${()=>{this.#a(this.#n.length===0)}}>${this.#i?"Reading…":"Show more"}</button></p>`:l}`}#c(e){let[n,i]=uo[e.reason||e.status]??["neutral",p(e.status)],s=e.spans.filter(c=>c.kind==="call").length,r=e.spans.filter(c=>c.kind==="wait").length,a=`${p(e.agent)} for ${p(e.user)}`;return o`<li class="thing">
<div class="about">
<strong>${a}</strong>
<div class="meta">${w(e.createdAt)} · ${de(e.from,e.to)}${e.status==="ended"?"":" so far"} · ${as(s,"call")} · ${as(r,"wait")} for people${e.parent?" · delegated by another run":""}</div>
</div>
<div class="side"><span class=${n}>${i}</span></div>
<details class="wide" @toggle=${c=>this.#u(e.id,c.target.open)}>
<summary>Timeline<span class="hidden"> of ${a}, ${w(e.createdAt)}</span></summary>
${this.#o.has(e.id)?o`<parley-run-timeline .run=${e}></parley-run-timeline>`:l}
</details>
</li>`}#u(e,n){n?this.#o.add(e):this.#o.delete(e),this.requestUpdate()}},as=(t,e)=>`${t} ${e}${t===1?"":"s"}`;var po={up:["good","Up"],down:["bad","Down"],needs_connection:["bad","Nobody has provided the credential that it takes"],unknown:["muted","Not looked at yet"]},$t=class extends y{static styles=[$,k,x,O];#e;#n=[];#t=new Map;#s;firstUpdated(){this.#i()}async#i(){this.#s=void 0;try{let[e,n]=await Promise.all([b("/api/servers"),b("/api/providers")]);this.#e=Y(e),this.#n=Y(n)}catch(e){this.#s=e.message}this.requestUpdate()}async#r(e,n=!1){if(!(this.#t.has(e)&&!n)){this.#t.set(e,{}),this.requestUpdate();try{this.#t.set(e,h(await b(`/api/servers/${encodeURIComponent(e)}/checklist?metadata=true`))??{})}catch(i){this.#t.set(e,i.message)}this.requestUpdate()}}render(){return o`<div class="bar"><h2>Servers</h2><button type="button" @click=${()=>{this.#i()}}>Look again</button></div>
${this.#s?o`<p class="problem" role="alert">${this.#s}</p>`:l}
${this.#e?.length===0?o`<p class="empty">There is no server. Add one in the configuration, or with POST /api/servers.</p>`:l}
<ul class="things">${this.#e?.map(e=>this.#o(e))}</ul>
${this.#e?o`<h3>Providers</h3>`:l}
${this.#e&&this.#n.length===0?o`<p class="muted">There is no OAuth provider. Servers with auth.type mcp name theirs themselves.</p>`:l}
<ul class="things">${this.#n.map(go)}</ul>`}#o(e){let n=d(e.name)??"",i=h(e.status)??{},s=h(e.auth)??{},[r,a]=po[e.enabled===!1?"":d(i.state)??""]??["muted",e.enabled===!1?"Disabled":""],c=v(e.agents).flatMap(f=>d(f)??[]),u=d(i.error),m=e.transport==="a2a";return o`<li class="thing">
<div class="about">
<strong>${p(d(e.title)??n)}</strong>
<div class="meta">${m?"An agent elsewhere, by A2A: ":""}${p(d(e.url)??"a program of the configuration")}</div>
<div class="meta">
${m?"Tasks":"Calls"} need an approval: ${p(d(e.approve)??"")} · credential: ${mo(s)}${c.length>0?` · ${m?"agents that delegate to it":"agents"}: ${c.map(p).join(", ")}`:""}
· from the ${e.source==="api"?"API":"configuration"}
</div>
</div>
<div class="side">
<span class=${r}>${a}</span>
<div class="meta">${typeof i.tools=="number"?`${i.tools} tools`:""}${i.since?` since ${w(d(i.since))}`:""}</div>
</div>
${u?o`<p class="wide bad" dir="auto">${p(u)}</p>`:l} ${fo(i)}
${ho(s)?this.#a(n):o`<p class="wide meta">${d(s.type)==="none"?"It takes no credential, so nobody has to connect.":"It takes a key or a token, so there is nothing to register."}</p>`}
</li>`}#a(e){return o`<details class="wide" @toggle=${n=>n.target.open&&void this.#r(e)}>
<summary>Setup checklist<span class="hidden"> of ${p(e)}</span></summary>
${this.#d(e)}
</details>`}#d(e){let n=this.#t.get(e);if(typeof n=="string")return o`<p class="problem" role="alert">${n}</p>`;let i=Y(n).filter(r=>r.item!=="connection");if(i.length===0)return o`<p class="muted" role="status">Looking…</p>`;let s=d(n?.redirect_uri);return o`<p class=${n?.ready===!0?"good":"bad"} role="status">
${n?.ready===!0?"Everything is there. The chat asks people to connect.":"Something is missing before people can connect in the chat."}
</p>
${s?o`<p>Register this redirect URI, to the letter: <code>${s}</code></p>`:l}
<ul class="checks">
${i.map(r=>{let a=r.ok===!0;return o`<li>
<span class="mark ${a?"good":"bad"}" aria-hidden="true">${a?"✓":"✗"}</span>
<div><span class="hidden">${a?"Done: ":"Missing: "}</span>${p(d(r.detail)??"")}${r.fix?o`<div class="meta">${p(d(r.fix)??"")}</div>`:l}</div>
</li>`})}
</ul>
<p><button type="button" @click=${()=>{this.#r(e,!0)}}>Check again<span class="hidden"> ${p(e)}</span></button></p>`}};function ho(t){return d(t.type)==="oauth2"||d(t.type)==="mcp"||d(t.source)!==void 0}function mo(t){let e=d(t.type)??"none";if(e==="none")return"none";let n={user:"each person's own",mentor:"each agent's own",platform:"one for all"},i=e==="bearer"||e==="api_key"?t.has_token===!0?", stored":t.scope==="platform"?", not stored here":"":"";return`${p(e)}, ${n[d(t.scope)??""]??""}${i}`}function fo(t){let e=L(t.left_out);if(e.length===0)return l;let n=typeof t.left_out_count=="number"?t.left_out_count:e.length;return o`<details class="wide">
<summary>${n} left out of what it lists</summary>
<ul class="checks">
${e.map(i=>o`<li>
<span class="mark" aria-hidden="true">–</span>
<div>${p(d(i.kind)??"")} <code>${p(d(i.name)||"without a name")}</code>${i.part?`, its ${p(d(i.part)??"")}`:""}: <span dir="auto">${p(d(i.reason)??"")}</span></div>
</li>`)}
</ul>
${n>e.length?o`<p class="meta">These are the first ${e.length}.</p>`:l}
</details>`}function go(t){let e=v(t.scopes).flatMap(s=>d(s)??[]),n=d(t.client_id),i=t.has_secret===!0;return o`<li class="thing">
<div class="about">
<strong>${p(d(t.title)??d(t.name)??"")}</strong>
<div class="meta">${p(d(t.auth_url)??"")} · from the ${t.source==="api"?"API":"configuration"}</div>
${e.length>0?o`<div class="meta">Scopes: ${e.map(p).join(", ")}</div>`:l}
</div>
<ul class="checks wide">
<li><span class="mark ${n?"good":"bad"}" aria-hidden="true">${n?"✓":"✗"}</span><div>${n?o`Client id <code>${p(n)}</code>`:"The client id is missing."}</div></li>
<li>
<span class="mark ${i?"good":"muted"}" aria-hidden="true">${i?"✓":"–"}</span>
<div>${i?"The client secret is stored. It is never shown.":"No client secret is stored: that is right for a public client only."}</div>
</li>
<li><span class="mark" aria-hidden="true">→</span><div>Register this redirect URI, to the letter: <code>${d(t.redirect_uri)??""}</code></div></li>
</ul>
</li>`}var ds=40,vn=12,le=6,kt=class extends y{static styles=[$,k,x,O,_e,_`
svg {
inline-size: 100%;
block-size: auto;
margin-block: 0.4rem;
stroke: none;
}
text {
fill: var(--_text);
font: 12.5px var(--_font, sans-serif);
}
.lane {
fill: var(--_sunken);
}
.model {
fill: var(--_muted);
}
.call {
fill: var(--_accent);
}
.call.failed,
.call.refused {
fill: var(--_danger);
}
.wait {
fill: url(#stripes);
stroke: var(--_text);
stroke-width: 1;
}
.stripe {
stroke: var(--_text);
stroke-width: 2;
}
.said {
fill: var(--_surface);
stroke: var(--_success);
stroke-width: 3;
}
.said.no {
stroke: var(--_danger);
}
.move {
stroke: var(--_text);
stroke-width: 1.5;
stroke-dasharray: 5 3;
}
.stays {
margin: 0.3rem 0;
padding: 0;
list-style: none;
}
.legend {
display: flex;
flex-wrap: wrap;
gap: 0.2rem 1rem;
}
.legend svg {
display: inline-block;
inline-size: 1.4rem;
block-size: 0.75rem;
margin: 0 0.3rem 0 0;
vertical-align: -1px;
}
`];static properties={run:{attribute:!1},_width:{state:!0}};#e;constructor(){super(),this._width=640}connectedCallback(){super.connectedCallback(),this.#e=new ResizeObserver(([e])=>{let n=Math.round(e.contentRect.width);n>0&&(this._width=n)}),this.#e.observe(this)}disconnectedCallback(){super.disconnectedCallback(),this.#e?.disconnect()}render(){let{spans:e,stays:n,count:i,trace:s,traceURL:r}=this.run;if(e.length===0)return o`<p class="muted">Nothing has happened in it yet.</p>`;let a=e.filter(c=>c.from!==void 0);return o`${a.length>0?this.#n(a):o`<p class="muted">When things happened was not kept yet when this ran.</p>`}
${n.length>0?bo(n):l}
<details>
<summary>The same as a table</summary>
<div class="scrolls" tabindex="0" role="region" aria-label="What the run was spent on">${yo(e)}</div>
</details>
${i>e.length?o`<p class="meta">These are the first ${e.length} of ${i}.</p>`:l}
${s?o`<p class="meta">Trace ${r?o`<a href=${r} target="_blank" rel="noopener noreferrer"><code>${s}</code></a>`:o`<code>${s}</code>`}</p>`:l}`}#n(e){let{at:n,total:i}=rs(this.run,e),s=this._width,r=m=>le+n(m)/i*(s-2*le),a=e.length*ds+4,c=e.filter(m=>m.kind==="wait").length,u=e.filter(m=>m.kind==="call").length;return o`<svg viewBox="0 0 ${s} ${a}" role="img" aria-label="Picture of the run: ${u} calls, ${c} waits for people, ${de(this.run.from,this.run.to)} in all. The same is in the table below.">
<defs>
<pattern id="stripes" width="6" height="6" patternUnits="userSpaceOnUse" patternTransform="rotate(45)"><line class="stripe" x1="0" y1="0" x2="0" y2="6"></line></pattern>
</defs>
${e.map((m,f)=>this.#t(m,f*ds,r,s))}
${this.run.stays.slice(1).map(m=>S`<line class="move" x1=${r(m.from)} y1="0" x2=${r(m.from)} y2=${a}></line>`)}
</svg>
<p class="meta legend">
<span><svg viewBox="0 0 22 12" aria-hidden="true"><rect class="model" width="22" height="12"></rect></svg>the model</span>
<span><svg viewBox="0 0 22 12" aria-hidden="true"><rect class="call" width="22" height="12"></rect></svg>a call</span>
<span><svg viewBox="0 0 22 12" aria-hidden="true"><rect class="call failed" width="22" height="12"></rect></svg>failed or refused</span>
<span><svg viewBox="0 0 22 12" aria-hidden="true"><rect class="wait" x="1" y="1" width="20" height="10"></rect></svg>a wait for people</span>
<span><svg viewBox="0 0 22 12" aria-hidden="true"><circle class="said" cx="15" cy="6" r="4.5"></circle></svg>somebody answered</span>
${this.run.stays.length>1?o`<span><svg viewBox="0 0 22 12" aria-hidden="true"><line class="move" x1="11" y1="0" x2="11" y2="12"></line></svg>it went on at another node</span>`:l}
<span>Long times are drawn shorter than they were.</span>
</p>`}#t(e,n,i,s){let r=i(e.from),a=i(e.to??this.run.to),c=Math.max(a-r,3),u=[bn(e),yn(e),ss(e,this.run)].filter(f=>f!=="").join(" · "),m=Math.max(8,Math.floor((s-2*le)/6.6));return S`<text x=${le} y=${n+15} dir="auto">${u.length>m?u.slice(0,m-1)+"…":u}</text>
<rect class="lane" x=${le} y=${n+21} width=${s-2*le} height=${vn} rx="3"></rect>
<rect class="${e.kind} ${e.how??""}" x=${Math.min(r,s-le-3)} y=${n+21} width=${c} height=${vn} rx="3"></rect>
${e.words.map(f=>f.at===void 0?l:S`<circle class="said ${f.yes?"":"no"}" cx=${i(f.at)} cy=${n+21+vn/2} r="4.5"></circle>`)}`}},bo=t=>o`<ol class="meta stays" aria-label="Where the run was">
${t.map((e,n)=>n===0?o`<li>Began at node <code>${e.node}</code></li>`:o`<li>Went on at node <code>${e.node}</code> ${is(e,t[n-1])}, ${wn(e.from)}</li>`)}
</ol>`,yo=t=>xe(["What","From","To","How long","What came of it"],t.map(e=>[{content:bn(e),dir:"auto"},{content:wn(e.from)},{content:e.pending?"goes on":wn(e.to)},{content:e.from!==void 0&&e.to!==void 0?de(e.from,e.to):""},{content:yn(e),dir:"auto"}])),vo=new Intl.DateTimeFormat(void 0,{timeStyle:"medium"});function wn(t){if(t===void 0)return"not known";let e=new Date(t);return`${w(e.toISOString()).replace(/,? [^ ]+$/,"")}, ${vo.format(e)}`}var ls={servers:"Servers",rules:"Rules",questions:"Questions",runs:"Runs"},$n=class extends y{static styles=[$,k,x,_`
nav {
display: flex;
flex-wrap: wrap;
gap: 0.4rem;
margin-block-end: 1rem;
}
nav a {
padding: 0.35rem 0.8rem;
border: 1px solid var(--_line);
border-radius: 2rem;
color: var(--_text);
text-decoration: none;
}
nav a[aria-current="page"] {
border-color: var(--_accent);
background: var(--_accent);
color: var(--_accent-text);
}
`];static properties={_part:{state:!0}};constructor(){super(),this._part="servers"}connectedCallback(){super.connectedCallback(),window.addEventListener("hashchange",this.#e),this.#e()}disconnectedCallback(){super.disconnectedCallback(),window.removeEventListener("hashchange",this.#e)}#e=()=>{let e=location.hash.split("/")[1]??"";this._part=e in ls?e:"servers"};render(){return o`<nav aria-label="Administration">
${Object.entries(ls).map(([e,n])=>o`<a href="#administration/${e}" aria-current=${e===this._part?"page":"false"}>${n}</a>`)}
</nav>
${this.#n()}`}#n(){switch(this._part){case"questions":return o`<parley-admin-questions></parley-admin-questions>`;case"rules":return o`<parley-admin-rules></parley-admin-rules>`;case"runs":return o`<parley-admin-runs></parley-admin-runs>`;default:return o`<parley-admin-servers></parley-admin-servers>`}}};function cs(){customElements.define("parley-admin-servers",$t),customElements.define("parley-admin-rules",vt),customElements.define("parley-admin-questions",yt),customElements.define("parley-run-timeline",kt),customElements.define("parley-admin-runs",wt),customElements.define("parley-inbox-admin",$n)}var Z=class extends y{static styles=[$,k,x];static properties={user:{}};#e;#n;#t="";#s;#i;async prepare(e){}firstUpdated(){this.#r()}async#r(){await this.#o(async()=>{let e=s=>{if(s instanceof E&&s.status===404)return{items:[]};throw s},n=h(await b(`${this.path}?${new URLSearchParams({user:this.user})}`).catch(e)),i=v(n?.items).flatMap(s=>[h(s)??{}]);await this.prepare(i),this.#e=i})}async#o(e){this.#n=void 0;try{await e()}catch(n){this.#n=n.message}this.requestUpdate()}render(){let e=this.#e;return o`<div class="bar"><h2 tabindex="-1">${this.words.title}</h2></div>
${this.#n?o`<p class="problem" role="alert">${this.#n} <button type="button" @click=${()=>{this.#r()}}>Try again</button></p>`:l}
<div role="status" class="meta">${this.#t}</div>
${e?.length===0?o`<p class="empty">${this.words.none}</p>`:l}
<ul class="things">
${e?.map(n=>o`<li class="thing">
<div class="about">${this.about(n)}</div>
<div>${this.#a(n)}</div>
${B(this.#i,this.key(n))}
</li>`)}
</ul>`}#a(e){let n=this.key(e),i=this.called(e),s=r=>()=>{this.#s=r,this.requestUpdate()};return this.#s!==n?o`<button type="button" data-key=${n} aria-label="${this.words.take}: ${i}" @click=${s(n)}>${this.words.take}</button>`:o`<button type="button" class="primary" aria-label="${this.words.sure}: ${i}" @click=${()=>{this.#d(e)}}>${this.words.sure}</button>
<button type="button" class="quiet" @click=${s(void 0)}>Keep</button>`}async#d(e){this.#s=this.#i=void 0;try{let n=h(await b(this.removal(e),{method:"DELETE"}));this.#t=d(n?.warning)??`Done: ${this.called(e)}.`}catch(n){return this.#i={at:this.key(e),text:n.message,bad:!0},this.requestUpdate(),await this.updateComplete,this.renderRoot.querySelector(`button[data-key="${CSS.escape(this.key(e))}"]`)?.focus(),z(this)}await this.#r(),this.renderRoot.querySelector("h2")?.focus()}};var wo={active:"Connected",expired:"Expired: connect it again",rejected:"Not accepted any more: connect it again",revoked:"Revoked",insufficient_scope:"It may do less than is needed: connect it again"},xt=class extends Z{path="/api/connections";words={title:"Connected accounts",none:"No account of yours is connected. You are asked when one is needed.",take:"Disconnect",sure:"Really disconnect"};key(e){return d(e.server)??""}called(e){return $e(e)}removal(e){return`/api/connections/${encodeURIComponent(this.key(e))}?${new URLSearchParams({scope:"user",owner:this.user})}`}about(e){let n=v(e.scopes).flatMap(r=>d(r)??[]),i=d(e.provider)??d(e.issuer),s=d(e.status)??"";return o`<strong>${this.called(e)}</strong>
<div class=${s==="active"?"good":"bad"}>${wo[s]??p(s)}</div>
<div class="meta">Used ${$o(e)}${i?`, through ${p(i)}`:""}.</div>
${n.length>0?o`<div class="meta">It may: ${n.map(p).join(", ")}</div>`:l}
<div class="meta">${e.used_at?`Last used ${w(d(e.used_at))}`:"Not used yet, as far as is known"}</div>
<div class="meta">Connected ${w(d(e.created_at))}${e.updated_at?` · renewed ${w(d(e.updated_at))}`:l}</div>`}};function $o(t){let e=h(t.used_by),i=[...v(e?.agents).flatMap(s=>d(s)??[]).map(s=>`by ${p(s)}`),...e?.gateway===!0?["by programs of yours at the gateway"]:[]];return i.length>0?i.join(", "):e?"by nobody at present":"for calls on your behalf"}var ce=class extends Error{constructor(n,i,s=[]){super(i??`status ${n}`);this.status=n;this.said=i;this.fields=s}status;said;fields;get passing(){return this.status>=500||this.status===408||this.status===425||this.status===429}};async function us(t,e,n,i){let s=JSON.stringify({conversationId:n,...i}),r=await ko(t,e,{method:"POST",body:s});if(!r.ok)throw await xo(r)}async function ko(t,e,n){let i=new Headers({"x-supports-elicitation":"true"});n.body!==void 0&&i.set("content-type","application/json");let s=e.token||await e.getToken?.();return s&&i.set("authorization",`Bearer ${s}`),fetch(t,{...n,headers:i,cache:"no-store",credentials:s?"same-origin":"include"})}async function xo(t){let e=h(j(await t.text().catch(()=>""))),n=e?.error,i=[];for(let s of v(e?.fields)){let r=d(h(s)?.message),a=(d(h(s)?.field)??"").replace(/\[\d+\]$/,"");r&&i.push({field:a,message:r})}return new ce(t.status,d(n)??d(h(n)?.message),i)}function ps(t){let e=crypto.getRandomValues(new Uint8Array(16));return`${t}_${[...e].map(n=>n.toString(16).padStart(2,"0")).join("")}`}function kn(t){let e=h(t),n=d(e?.id);return n?[{id:n,title:d(e?.title)??"",agent:d(e?.agent)??"",at:d(e?.updatedAt),waiting:e?.waiting===!0}]:[]}var Ct=(t,e)=>`/?${new URLSearchParams({...e&&{agent:e},conversation:t})}`,_t=class extends y{static styles=[$,k,x,_`
.begin {
display: flex;
gap: 0.5rem;
align-items: center;
}
.begin select {
inline-size: auto;
max-inline-size: 14rem;
}
a.thing {
color: inherit;
text-decoration: none;
}
a.thing:hover {
border-color: var(--_text);
}
.waits {
padding: 0 0.6rem;
border-radius: 1rem;
background: var(--_accent);
color: var(--_accent-text);
font-size: 0.85rem;
}
`];#e;#n;#t;#s="";#i;#r=!1;#o=!1;connectedCallback(){super.connectedCallback(),document.addEventListener("visibilitychange",this.#a),this.#a()}disconnectedCallback(){super.disconnectedCallback(),document.removeEventListener("visibilitychange",this.#a)}#a=()=>{document.visibilityState==="visible"&&this.#d(void 0)};async#d(e){if(!this.#r){this.#r=!0,this.#o=e!==void 0,this.#i=void 0,this.requestUpdate();try{this.#t??=v(h(await b("/run/v1/models"))?.data).flatMap(r=>d(h(r)?.id)??[]);let n=h(await b(`/run/api/chat?${new URLSearchParams({limit:"50",...e&&{cursor:e}})}`)),i=v(n?.conversations).flatMap(kn),s=e?(this.#e??[]).filter(r=>!i.some(a=>a.id===r.id)):[];this.#e=[...s,...i],this.#n=d(n?.nextCursor)}catch(n){n instanceof E&&n.status===404?(this.#t=[],this.#e=[]):this.#i=n.message}this.#r=!1,this.requestUpdate()}}render(){return o`<div class="bar">
<h2>Conversations</h2>
${this.#t?.length?this.#u(this.#t):l}
</div>
${this.#i&&!this.#o?o`<p class="problem" role="alert">${this.#i} <button type="button" @click=${()=>{this.#d(void 0)}}>Try again</button></p>`:l}
${this.#c()}
<ul class="things">
${this.#e?.map(e=>o`<li>${_o(e)}</li>`)}
</ul>
${this.#i&&this.#o?o`<p class="problem" role="alert">${this.#i}</p>`:l}
${this.#n?o`<p><button type="button" @click=${()=>{this.#d(this.#n)}}>${this.#r?"Reading…":"Show more"}</button></p>`:l}`}#c(){return this.#t?.length===0?o`<p class="empty">This server has no agents to talk to.</p>`:this.#e?.length===0?o`<p class="empty">You have not said anything yet. Begin a conversation.</p>`:l}#u(e){let n=e.includes(this.#s)?this.#s:e[0],i=s=>{this.#s=s.target.value,this.requestUpdate()};return o`<div class="begin">
${e.length>1?o`<select aria-label="With which agent" @change=${i}>
${e.map(s=>o`<option value=${s} .selected=${s===n}>${p(s)}</option>`)}
</select>`:l}
<button type="button" class="primary" @click=${()=>location.assign(Ct(ps("conv"),n))}>New conversation</button>
</div>`}};function _o(t){return o`<a class="thing" href=${Ct(t.id,t.agent)}>
<span class="about">
<strong dir="auto">${p(t.title)||"Without words"}</strong>
<span class="meta"><br />With ${p(t.agent)} · ${w(t.at)}</span>
</span>
${t.waiting?o`<span class="waits">Waits for you</span>`:l}
</a>`}function xn(){return window.isSecureContext?!("serviceWorker"in navigator)||!("PushManager"in window)||!("Notification"in window)?/iPhone|iPad/.test(navigator.userAgent)?"home-screen":"missing":{denied:"denied",granted:"allowed",default:"asks"}[Notification.permission]:"insecure"}var Tt={insecure:"Browsers show notifications of pages that come by https only, and this one does not.",missing:"This browser shows no notifications of pages. Use another one, or be told another way.","home-screen":"On an iPhone or iPad, first add this page to the home screen: Share, then “Add to Home Screen”. Open it from there and come back here.",denied:"This browser was told to show no notifications of this page, and the page cannot ask again. Open the settings of the page, left of its address, allow notifications there, and come back."},ms="/inbox/sw.js",Co=2e4;async function _n(){return xn()!=="allowed"?void 0:await(await navigator.serviceWorker.getRegistration(ms))?.pushManager.getSubscription()??void 0}async function Cn(t){let e=await crypto.subtle.digest("SHA-256",new TextEncoder().encode(t.endpoint));return[...new Uint8Array(e,0,16)].map(n=>n.toString(16).padStart(2,"0")).join("")}async function fs(){let t=await Notification.requestPermission();if(t==="denied")throw new E(0,Tt.denied);if(t!=="granted")throw new E(0,"Nothing was chosen, so nothing was turned on. Press the button again and allow notifications.");let e=await Eo(await To(),d(h(await b("/api/me/push-key"))?.key)??""),{endpoint:n,keys:i}=e.toJSON(),s=JSON.stringify({endpoint:n,key:i?.p256dh,auth:i?.auth,label:Ao(navigator.userAgent)});await b("/api/me/push-subscriptions",{method:"POST",body:s,headers:{"content-type":"application/json"}})}async function gs(t){let e=await _n();await b(`/api/me/push-subscriptions/${encodeURIComponent(t)}`,{method:"DELETE"}),e&&await Cn(e)===t&&await e.unsubscribe().catch(()=>!1)}function bs(t){return b(`/api/me/push-subscriptions/${encodeURIComponent(t)}/test`,{method:"POST"})}async function To(){let t=await navigator.serviceWorker.register(ms).catch(n=>{throw new E(0,`This browser did not take what shows notifications: ${n.message}`)}),e=t.active??t.waiting??t.installing;return e&&e.state!=="activated"&&await So(e),t}function So(t){return new Promise((e,n)=>{let i=()=>n(new E(0,"This browser did not start what shows notifications. Reload the page and try again.")),s=setTimeout(i,Co);t.addEventListener("statechange",()=>{t.state!=="activated"&&t.state!=="redundant"||(clearTimeout(s),t.state==="activated"?e():i())})})}async function Eo({pushManager:t},e){let n={userVisibleOnly:!0,applicationServerKey:e};try{return await t.subscribe(n)}catch(i){let s=i;if(s.name==="NotAllowedError")throw new E(0,Tt.denied);if(s.name!=="InvalidStateError")throw new E(0,hs)}return await(await t.getSubscription())?.unsubscribe(),t.subscribe(n).catch(()=>{throw new E(0,hs)})}var hs="This browser could not reach its push service, which brings notifications to it. Check your connection; some browsers have push messages turned off in their settings.";function Ao(t){let e=(s,r)=>Object.entries(s).find(([,a])=>a.test(t))?.[0]??r,n=e({Edge:/Edg/,Opera:/OPR\//,Firefox:/Firefox|FxiOS/,Chrome:/Chrome|CriOS/,Safari:/Safari/},"A browser"),i=e({iPhone:/iPhone/,iPad:/iPad/,Android:/Android/,Windows:/Windows/,Mac:/Mac OS X|Macintosh/,ChromeOS:/CrOS/,Linux:/Linux/},"");return i?`${n} on ${i}`:n}var Tn="here",St=class extends y{static styles=[$,k,x];static properties={reach:{},note:{}};#e;#n;connectedCallback(){super.connectedCallback(),navigator.permissions?.query({name:"notifications"}).then(e=>{this.#n=e,this.isConnected&&e.addEventListener("change",this.#t)}).catch(()=>{})}disconnectedCallback(){super.disconnectedCallback(),this.#n?.removeEventListener("change",this.#t)}willUpdate(e){e.has("reach")&&this.#t()}#t=()=>{_n().then(e=>e&&Cn(e)).catch(()=>{}).then(e=>{this.#e=e,this.requestUpdate()})};render(){let{devices:e}=this.reach;return o`<section aria-labelledby="devices">
<h3 id="devices">Notifications in your browsers</h3>
${this.#s()} ${B(this.#r(e),Tn)}
${e.length===0?o`<p class="meta">No browser of yours shows any so far.</p>`:o`<ul class="things">
${e.map(n=>this.#i(n))}
</ul>`}
</section>`}#s(){let e=xn();return e!=="asks"&&e!=="allowed"?o`<p class="notice">${Tt[e]}</p>`:e==="allowed"&&this.reach.devices.some(n=>n.id===this.#e)?l:o`<p>
<button type="button" class="primary" id="on" @click=${this.#o}>Turn on in this browser</button>
</p>`}#i(e){let n=p(e.label??"A browser"),i=e.id===this.#e;return o`<li class="thing">
<div class="about">
<strong>${n}</strong>${i?o` <span class="good">this one</span>`:l}
<div class="meta">Since ${w(e.since)}</div>
</div>
<div class="buttons">
<button type="button" aria-label="Send a test: ${n}" @click=${()=>this.#a(e)}>Send a test</button>
<button type="button" class="quiet" aria-label="Turn off: ${n}" @click=${()=>this.#d(e,n)}>Turn off</button>
</div>
${B(this.note,e.id)}
</li>`}#r(e){return this.note&&!e.some(n=>n.id===this.note.at)?{...this.note,at:Tn}:void 0}#o=()=>U(this,{at:Tn,work:async()=>(await fs(),"This browser shows notifications now. Send a test to see one."),focus:".buttons > button, #on"});#a(e){U(this,{at:e.id,work:async()=>(await bs(e.id),"Sent. It appears within a few seconds. If it does not, look whether the system of that device keeps notifications back.")})}#d(e,n){U(this,{at:e.id,work:async()=>(await gs(e.id),`No more notifications: ${n}.`),focus:"#on, .buttons > button"})}};var Et=class extends y{static styles=[$,k,x];static properties={user:{}};#e=[];#n;#t=!1;#s;firstUpdated(){this.#i()}async#i(){if(!this.#t){this.#t=!0,this.#s=void 0,this.requestUpdate();try{let e=new URLSearchParams({state:"settled",user:this.user,limit:"50",...this.#n&&{cursor:this.#n}}),n=be(await b(`/api/elicitations?${e}`),location.origin);this.#e=[...this.#e,...n.items],this.#n=n.next}catch(e){this.#s=e.message}this.#t=!1,this.requestUpdate()}}render(){return o`<div class="bar"><h2>What was settled</h2></div>
${this.#e.length===0&&!this.#t&&!this.#s&&!this.#n?o`<p class="empty">Nothing was asked of you yet, or it was forgotten.</p>`:l}
<ul class="things">${this.#e.map(Bo)}</ul>
${this.#s?o`<p class="problem" role="alert">${this.#s}</p>`:l}
${this.#n||this.#s?o`<p><button type="button" @click=${()=>{this.#i()}}>${this.#t?"Reading…":"Show more"}</button></p>`:l}`}};function Bo(t){let e=gt(t);return o`<li class="thing">
<div class="about">
<strong dir="auto">${V(t)}</strong>
<div class="clip" dir="auto">${ke(t)}</div>
<div class="meta">Asked ${w(t.createdAt)}${Q(t)} · <a href="/answer/${t.id}">Its page</a> · <a href="/api/elicitations/${t.id}/receipt" download="receipt-${t.id}.json">Receipt</a></div>
</div>
<div>
<span class=${e.tone}>${e.sentence}</span>
<div class="meta">${e.where}</div>
</div>
</li>`}var At=class extends Z{path="/api/logins";words={title:"Programs that act as you",none:"No program is logged in as you.",take:"End",sure:"Really end"};key(e){return d(e.id)??""}called(e){return`“${p(d(e.program)??"")}”`}removal(e){return`/api/logins/${encodeURIComponent(this.key(e))}?${new URLSearchParams({user:this.user})}`}about(e){let n=d(e.address);return o`<strong>${this.called(e)}</strong>
<div>${e.scope==="mcp"?"MCP only":"All that you may do with a token, answers too"}</div>
<div class="meta">Logged in ${w(d(e.created_at))}${n?` from ${p(n)}`:""} · until ${w(d(e.expires_at))}</div>`}};var Ro=4,Po=250;function Sn({question:t,long:e,others:n},i){if(n)return;let s=t.mode==="form"?ve(t.requestedSchema)?.[0]:void 0;return t.context.trigger==="tool_approval"&&!e&&s?.name==="decision"&&s.options.some(a=>a.value===i)?{action:"accept",content:{decision:i}}:i==="deny"?{action:"decline"}:void 0}var Bt=class extends y{static styles=[$,k,x,nt,_e];static properties={items:{attribute:!1}};#e=[];#n=new Map;#t="asking";#s=[];focus(){this.updateComplete.then(()=>this.renderRoot.querySelector("h2")?.focus())}willUpdate(){this.#t==="asking"&&(this.#e=this.items)}render(){let e=this.#e.filter(n=>!Sn(n,"allow_once")).length;return o`<h2 tabindex="-1">${this.#e.length} questions</h2>
${e>0&&this.#t==="asking"?o`<p class="muted">${e} of them cannot be allowed from here. They stay open when you allow the others, and are declined, where that is possible, when you deny them all.</p>`:l}
<div class="bar">${this.#r(e)}</div>
<div role="status" class="meta">${this.#o()}</div>
${xe(["Question","What it says","Result"],this.#e.map(n=>this.#i(n)))}`}#i(e){let n=this.#n.get(e.id);return[{content:V(e),dir:"auto"},{content:cn(e.question),class:"words",dir:we(e.question)?"ltr":"auto"},{content:n?.text??"Open",class:n?.tone}]}#r(e){if(this.#t==="done")return o`<button type="button" class="primary" @click=${()=>this.#u("inbox-done")}>Back to the list</button>`;let n=this.#t==="sending";return o`<button type="button" id="allow" aria-disabled=${n||e===this.#e.length} @click=${()=>{this.#a("allow_once")}}>
Allow each once
</button>
<button type="button" id="deny" aria-disabled=${n} @click=${()=>{this.#a("deny")}}>Deny each</button>`}#o(){if(this.#t==="asking")return"";let e=s=>[...this.#n.values()].filter(r=>r.tone===s).length,[n,i]=[e("muted"),e("bad")];return`${e("good")} of ${this.#e.length} done${n>0?`, ${n} left open`:""}${i>0?`, ${i} not as you said`:""}.`}async#a(e){if(this.#t!=="asking"||e==="allow_once"&&!this.#e.some(r=>Sn(r,e)))return;this.#t="sending",this.requestUpdate();let n=[...this.#e],i=async()=>{for(let r=n.shift();r;r=n.shift())await this.#d(r,e)},s=setInterval(this.#c,Po);await Promise.all(Array.from({length:Ro},i)),clearInterval(s),this.#t="done",this.#c()}async#d(e,n){let i=Sn(e,n);if(!i)this.#n.set(e.id,{tone:"muted",text:"Left open: answer it by itself."});else try{await ni(e.id,i.action,i.content),this.#n.set(e.id,{tone:"good",text:n==="allow_once"?"Allowed once.":i.content?"Denied.":"Declined."}),this.#s.push(e.id)}catch(s){this.#n.set(e.id,{tone:"bad",text:s.message})}}#c=()=>{this.#s.length>0&&this.#u("inbox-answered",this.#s),this.#s=[],this.requestUpdate()};#u(e,n=[]){this.dispatchEvent(new CustomEvent(e,{detail:n}))}};var Rt=class extends Z{#e=new Map;path="/api/permissions";words={title:"What you have allowed and refused",none:"Nothing is allowed or refused for good. You are asked each time.",take:"Take back",sure:"Really take back"};key(e){return d(e.id)??""}called(e){let n=d(e.tool),i=$e(e);return n?[p(n),i&&`of ${i}`].join(" ").trim():`every tool of ${i}`}removal(e){return`/api/permissions/${encodeURIComponent(this.key(e))}?${new URLSearchParams({user:this.user})}`}about(e){let n=e.effect==="allow",i=d(e.until),s=d(e.question),r=[e.once===!0?"for one call":"",e.digest?"with these arguments only":"with any arguments",i?`until ${w(i)}`:"until you take it back"].filter(a=>a!=="");return o`<strong><span class=${n?"good":"bad"}>${n?"Allowed":"Refused"}</span>: ${this.called(e)}</strong>
<div>${this.#t(d(e.session))}${r.join(", ")}</div>
${this.#n(e)}
<div class="meta">Since ${w(d(e.created_at))} · used ${String(e.uses??0)} times${s?o` · <a href="/answer/${encodeURIComponent(s)}">The question</a>`:l}</div>`}#n(e){let n=d(e.arguments);return n?o`<pre tabindex="0" role="region" aria-label="Arguments of ${this.called(e)}" dir="ltr">${J(Xe(n))}</pre>`:e.digest?o`<div class="meta">Its arguments were not kept with it.</div>`:l}#t(e){if(!e)return l;let n=this.#e.get(e);return n?o`in the conversation <a href=${Ct(n.id,n.agent)} dir="auto">${p(n.title)||"without words"}</a>, `:o`in the session ${p(e)}, `}async prepare(e){if(!e.some(i=>i.session))return;let n=h(await b("/run/api/chat?limit=100").catch(()=>{}));this.#e=new Map(v(n?.conversations).flatMap(kn).map(i=>[i.id,i]))}};var ys=me(class extends K{constructor(){super(...arguments),this.key=l}render(t,e){return this.key=t,e}update(t,[e,n]){return e!==this.key&&(ge(t),this.key=e),n}});var Pt=class{constructor(e){this.changed=e}changed;#e="";#n;show(e){let n=e?.others&&e.pending?e.id:"";if(n===this.#e||(this.#n?.abort(),this.#e=n,!n))return;let i=this.#n=new AbortController,s=r=>{let a=ye(r,location.origin);!a||i.signal.aborted||(a.pending||i.abort(),this.changed(a))};et(`/api/elicitations/${encodeURIComponent(n)}/events`,{item:s,reload:()=>{},connected:()=>{}},i.signal)}};var Mo=100,Mt=class{constructor(e,n,i){this.user=e;this.changed=n;this.settled=i}user;changed;settled;items=[];next;loading=!0;problem;failed="list";connected=!0;#e;#n;#t=new Set;#s=[];get own(){return this.items.filter(e=>!e.others)}get others(){return this.items.filter(e=>e.others)}run(e){return this.#e=e,et(ii(this.user),{item:n=>this.#r(ye(n,location.origin)),reload:()=>{this.reload()},connected:n=>{!n&&!this.#n&&this.reload(),n!==this.connected&&(this.connected=n,this.changed())}},e)}async reload(){await this.#n,await(this.#n=this.#a("list",async()=>{let e=this.items,n=[],i;do{let a=await this.#d(i);n.push(...a.items),i=a.next}while(i&&n.length<e.length);this.items=n,this.next=i;let s=new Set(n.map(a=>a.id)),r=n.at(-1)?.id??"";for(let a of e)!s.has(a.id)&&(!i||a.id>r)&&await this.#i(a.id)}))}async more(){!this.next||this.loading||await(this.#n=this.#a("more",async()=>{let e=await this.#d(this.next);this.items=vs(this.items,e.items),this.next=e.next}))}async upTo(e){for(await this.#n;this.next&&!this.problem&&this.items.length<e;)await this.more()}remove(...e){for(let n of e)this.#t.add(n);this.items=this.items.filter(n=>!this.#t.has(n.id)),this.changed()}async#i(e){this.#r(ye(await b(`/api/elicitations/${encodeURIComponent(e)}`),location.origin))}#r(e){if(e){if(e.pending){this.items=vs(this.items,this.#t.has(e.id)?[]:[e]),this.changed();return}this.#t.add(e.id),this.#s.push(e)===1&&setTimeout(this.#o,Mo)}}#o=()=>{let e=this.#s;if(this.#s=[],!this.#e?.aborted){this.remove(...e.map(n=>n.id));for(let n of e)this.settled(n);this.changed()}};async#a(e,n){this.loading=!0,this.failed=e,this.problem=void 0,this.changed();try{await n()}catch(i){this.problem=i.message}this.loading=!1,this.#n=void 0,this.changed()}async#d(e){let n=new URLSearchParams({state:"pending",user:this.user,limit:"50",...e&&{cursor:e}}),i=be(await b(`/api/elicitations?${n}`),location.origin);return{...i,items:i.items.filter(s=>!this.#t.has(s.id))}}};function vs(t,e){return[...new Map([...t,...e].map(i=>[i.id,i])).values()].sort((i,s)=>i.id<s.id?1:-1)}var En=500,It=class extends y{static styles=[$,k,x,nt];static properties={user:{}};#e;#n;#t;#s=new Pt(e=>this.#w(()=>this.#t?.id===e.id&&(this.#t=e)));#i="";#r=!1;#o=new Map;#a=!1;#d;#c;#u="";connectedCallback(){super.connectedCallback(),this.addEventListener("keydown",this.#T),this.addEventListener("parley-answered",this.#f),this.addEventListener("parley-hint",()=>{this.#e?.reload()})}disconnectedCallback(){super.disconnectedCallback(),this.removeEventListener("keydown",this.#T),this.removeEventListener("parley-answered",this.#f),this.#n?.abort(),this.#s.show(void 0),this.#e=void 0}#h(){this.#n=new AbortController;let e=new Mt(this.user,()=>this.#m(),n=>this.#l(n));return e.run(this.#n.signal),e}#m(){let{items:e,own:n,next:i,loading:s}=this.#e;(!this.#i||!e.some(c=>c.id===this.#i))&&this.#p();let r=n.length,a=r===0?"":`${r}${i?"+":""}`;!s&&a!==this.#c&&(this.#c=a,this.dispatchEvent(new CustomEvent("inbox-count",{detail:a}))),this.requestUpdate()}#p(){let e=this.shadowRoot?.activeElement?.classList.contains("row"),{own:n,others:i}=this.#e,s=n.find(r=>r.id<this.#i)??n.at(-1)??i[0];this.#i=s?.id??"",e&&(this.#d="row")}#l(e){this.#o.delete(e.id),this.#t?.id===e.id?this.#t=e:this.#u=`No longer open: ${V(e)}`}#f=e=>this.#e?.remove(e.detail.elicitationId);render(){let e=this.#e??=this.#h(),n=this.#t!==void 0||this.#a;return o`<div class="panes ${n?"opened":""}">
<div class="choose">${this.#g(e)} ${this.#y(e)} ${this.#S(e)}</div>
<section class="detail ${n?"":"none"}" aria-label="Open question">${this.#A(e)}</section>
</div>
<div class="hidden" role="status">${this.#u}</div>`}#g({own:e,next:n}){return e.length===0?l:o`<div class="bar">
<h2 id="yours">Waiting for you</h2>
${this.#r?o`<button type="button" @click=${()=>{this.#x()}}>Choose all${n?`, up to ${En}`:""}</button>
<button type="button" class="primary" aria-disabled=${this.#o.size===0} @click=${this.#_}>Answer ${this.#o.size}…</button>
<button type="button" class="quiet" @click=${this.#b}>Cancel</button>`:o`<button type="button" @click=${()=>this.#w(()=>this.#r=!0)}>Choose several</button>`}
</div>`}#y({problem:e,failed:n,connected:i,loading:s,own:r}){return o`${e&&n==="list"?o`<p class="problem" role="alert">${e} <button type="button" @click=${()=>{this.#e?.reload()}}>Try again</button></p>`:l}
${i?l:o`<p class="notice" role="status">The connection is lost. Trying again…</p>`}
${r.length>0||e?l:s?o`<p class="empty">Looking for questions…</p>`:o`<p class="empty">Nothing waits for you. New questions appear here by themselves.</p>`}`}#S(e){let{own:n,others:i,next:s,loading:r,problem:a,failed:c}=e;if(e.items.length===0)return l;let u=(m,f)=>o`<ul aria-labelledby=${f} aria-describedby="keys">${ot(m,g=>g.id,g=>this.#E(g))}</ul>`;return o`<p class="hidden" id="keys">Use j and k or the arrow keys to go from one to the next, Enter to open one, Escape to come back.</p>
<div class="list" @scroll=${this.#C}>
${n.length>0?u(n,"yours"):l}
${i.length>0?o`<h3 id="others">Waiting for others</h3>${u(i,"others")}`:l}
${s?o`<div class="more">
${a&&c==="more"?o`<p class="problem" role="alert">${a}</p>`:l}
<button type="button" @click=${()=>{e.more()}}>${r?"Reading…":"Show more"}</button>
</div>`:l}
</div>`}#E(e){let n=e.asker?` ·${Q(e)}`:"";return o`<li>
${this.#r&&!e.others?o`<label class="pick"><span class="hidden">Choose: ${V(e)}</span
><input type="checkbox" .checked=${this.#o.has(e.id)} @change=${()=>this.#R(e)} /></label>`:l}
<button type="button" class="row" data-id=${e.id} tabindex=${e.id===this.#i?0:-1} aria-current=${e.id===this.#t?.id}
@focus=${()=>this.#w(()=>this.#i=e.id)} @click=${()=>this.#$(e)}>
<strong dir="auto">${V(e)}</strong>
<span class="clip" dir="auto">${ke(e)}</span>
<span class="meta">${w(e.createdAt)}${n}</span>
</button>
</li>`}#A(e){let n=o`<button type="button" class="back" @click=${this.#k}>Back to the list</button>`;if(this.#a)return o`${n}<parley-inbox-many .items=${[...this.#o.values()]} @inbox-done=${this.#b}
@inbox-answered=${a=>e.remove(...a.detail)}></parley-inbox-many>`;let i=this.#t;if(!i)return o`<p class="empty keys">${e.items.length===0?l:o`Choose a question: <kbd>j</kbd> <kbd>k</kbd> <kbd>Enter</kbd>`}</p>`;let s=e.own.some(a=>a.id!==i.id),r=!i.pending||!e.items.some(a=>a.id===i.id);return o`${n}
<p class="meta">Asked ${w(i.createdAt)}${Q(i)} ·
<a href="/answer/${i.id}" target="_blank" rel="noopener">Its own page</a></p>
${ys(i.id,o`<parley-question .request=${i.request} endpoint="/answer/${i.id}"></parley-question>`)}
${r?o`<div class="after">
${s?o`<button type="button" class="primary" id="next" @click=${this.#B}>Next question</button>`:o`<p class="muted">Nothing else waits for you.</p>`}
</div>`:l}`}#w(e){e(),this.requestUpdate()}#$(e){this.#t=e,this.#i=e.id,this.#a=!1,this.#d="question",this.requestUpdate()}#B=()=>{let{own:e}=this.#e,n=e.find(i=>i.id<(this.#t?.id??""))??e[0];n&&this.#$(n)};#k=()=>{this.#t=void 0,this.#a=!1,this.#d="row",this.requestUpdate()};#R(e){this.#o.delete(e.id)||this.#o.set(e.id,e),this.requestUpdate()}async#x(){await this.#e?.upTo(En);for(let e of this.#e?.own.slice(0,En)??[])this.#o.set(e.id,e);this.requestUpdate()}#_=()=>{this.#o.size!==0&&(this.#a=!0,this.#t=void 0,this.#d="many",this.requestUpdate())};#b=()=>{this.#a&&this.#e?.reload(),this.#r=this.#a=!1,this.#o.clear(),this.#d="row",this.requestUpdate()};#C=e=>{let n=e.currentTarget;n.scrollHeight-n.scrollTop-n.clientHeight<400&&this.#e?.more()};#T=e=>{let n=e.composedPath()[0],i=/^(input|textarea|select)$/i.test(n.tagName)||n.isContentEditable;if(e.ctrlKey||e.metaKey||e.altKey||e.defaultPrevented)return;if(e.key==="Escape"&&(this.#t||this.#a))return e.preventDefault(),this.#k();let s=n.classList.contains("row"),r={j:1,k:-1,...s&&{ArrowDown:1,ArrowUp:-1}}[e.key];i||r===void 0||(e.preventDefault(),this.#v(r,s))};#v(e,n){let{own:i,others:s}=this.#e,r=[...i,...s],a=r.findIndex(u=>u.id===this.#i),c=r[Math.max(0,Math.min(r.length-1,n?a+e:a))];c&&(this.#i=c.id,this.#d="row",a+e>=r.length-5&&this.#e?.more(),this.requestUpdate())}async updated(){this.#s.show(this.isConnected?this.#t:void 0);let e=this.#d;if(this.#d=void 0,e==="row"&&this.renderRoot.querySelector(`.row[data-id="${CSS.escape(this.#i)}"]`)?.focus(),e==="many"&&this.renderRoot.querySelector("parley-inbox-many")?.focus(),e!=="question")return;let n=this.renderRoot.querySelector("parley-question");await n?.updateComplete,n?.focus()}};function An(t,e,n){let i=ws(t);if(!i||i.protocol!=="https:"&&i.protocol!=="http:"||i.username!==""||i.password!=="")return;let{hostname:s,host:r,href:a,origin:c}=i,u=n&&(s===n||s.endsWith(`.${n}`)),m=u?n:r,f=a.indexOf("//")+2+(u?s.length-n.length:0);return{href:a,before:a.slice(0,f),trust:m,after:a.slice(f+m.length),foreign:c!==ws(e)?.origin,insecure:i.protocol==="http:"&&!Io(s)}}function ws(t){try{return new URL(t??"")}catch{return}}function Io(t){return t==="localhost"||t.endsWith(".localhost")||t==="[::1]"||/^127(\.\d+){3}$/.test(t)}var Lt=class{#e=0;now(){return Date.now()+this.#e}note(e){let n=Date.parse(e??"");if(Number.isNaN(n))return;let i=n+500-Date.now();this.#e=Math.abs(i)>2e3?i:0}},Ue=1e3,Dt=60*Ue,Ot=60*Dt;function $s(t){let e=Math.max(0,t),n=Math.round(e/Ot);if(n>=48)return`${Math.floor(n/24)} d${n%24?` ${n%24} h`:""}`;if(e>=Ot)return`${Math.floor(e/Ot)} h ${Math.floor(e%Ot/Dt)} min`;let i=Math.ceil(e/Ue);return`${Math.floor(i/60)}:${String(i%60).padStart(2,"0")}`}var Oo=[5*Dt,Dt,30*Ue,10*Ue];function ks(t,e){let n=Oo.filter(i=>t>i&&e<=i);return n.length>0&&e>0?Math.min(...n)/Ue:void 0}var qt=class{constructor(e,n,i){this.host=e;this.say=n;this.over=i;e.addController(this)}host;say;over;left;#e=Number.NaN;#n;#t;#s=!1;start(e,n){this.#e=Date.parse(e??""),this.#n=n;let i=this.#e-n.now();this.left=i>0?i:void 0,this.#i()}stop(){this.left=void 0,this.#i()}hostConnected(){this.#s=!0,this.#i()}hostDisconnected(){this.#s=!1,this.#i()}#i(){clearInterval(this.#t),this.#s&&this.left!==void 0&&(this.#t=setInterval(()=>this.#r(),1e3))}#r(){let e=this.left??0;this.left=Math.max(0,this.#e-this.#n.now());let n=ks(e,this.left);n!==void 0&&this.say(n),this.left===0&&(this.stop(),this.over()),this.host.requestUpdate()}};function xs(t){let e=Math.min(560,screen.availWidth),n=Math.min(760,screen.availHeight),i=Math.round(window.screenX+(window.outerWidth-e)/2),s=Math.round(window.screenY+(window.outerHeight-n)/2),r=window.open(t,"parley-connect",`popup,width=${e},height=${n},left=${i},top=${s}`);return!r||r.closed?!1:(r.focus(),!0)}var _s=_`
:host {
display: block;
container-type: inline-size;
}
.card {
border: 1px solid var(--_hair);
border-radius: var(--_radius);
background: var(--_surface);
overflow: clip;
}
.card.open {
border-color: color-mix(in srgb, var(--_accent) 45%, var(--_hair));
}
header {
display: flex;
align-items: center;
gap: 0.7rem;
padding: 0.85rem 1.1rem 0;
}
.badge {
display: grid;
place-items: center;
flex: none;
inline-size: 2.25rem;
block-size: 2.25rem;
border-radius: min(var(--_radius), 0.65rem);
background: var(--_bubble);
color: var(--_accent);
}
.title {
flex: 1;
min-inline-size: 0;
font-size: 1.05em;
font-weight: 650;
line-height: 1.3;
text-wrap: pretty;
}
bdi,
.isolate {
unicode-bidi: isolate;
}
.timer {
display: inline-flex;
align-items: center;
gap: 0.3em;
flex: none;
padding: 0.15rem 0.55rem;
border-radius: 99px;
background: var(--_sunken);
color: var(--_muted);
font-size: 0.8125rem;
font-variant-numeric: tabular-nums;
white-space: nowrap;
}
.timer svg {
inline-size: 1em;
block-size: 1em;
}
.timer.soon {
background: color-mix(in srgb, var(--_warning) 14%, var(--_surface));
color: var(--_warning);
font-weight: 600;
}
.body {
display: grid;
gap: 1rem;
padding: 0.85rem 1.1rem 1.1rem;
}
.message {
padding: 0.7rem 0.9rem;
border-radius: var(--_radius-small);
background: var(--_sunken);
}
.words {
white-space: pre-wrap;
unicode-bidi: plaintext;
}
.words.exact {
unicode-bidi: isolate;
}
dl {
display: grid;
gap: 0.7rem;
}
dt,
.caption {
margin-block-end: 0.2rem;
color: var(--_muted);
font-size: 0.8125rem;
}
.arguments,
.words.whole {
padding: 0.6rem 0.8rem;
border: 1px solid var(--_hair);
border-radius: var(--_radius-small);
background: var(--_sunken);
direction: ltr;
text-align: left;
white-space: pre-wrap;
tab-size: 2;
line-height: 1.35;
}
.form {
display: grid;
gap: 1.1rem;
}
.field {
min-inline-size: 0;
}
.wrong {
padding-inline-start: 0.8rem;
border-inline-start: 3px solid var(--_danger);
}
.field > label:not(.option),
.legend,
.strong {
font-weight: 600;
}
.field > label:not(.option) {
display: block;
margin-block-end: 0.25rem;
}
.legend {
margin-block-end: 0.15rem;
}
.required {
color: var(--_muted);
font-size: 0.8125rem;
font-weight: 400;
}
.hint {
margin-block-end: 0.3rem;
color: var(--_muted);
font-size: 0.8125rem;
}
.error {
margin-block-end: 0.3rem;
color: var(--_danger);
font-size: 0.875rem;
font-weight: 600;
}
:is(input, select, textarea)[aria-invalid="true"]:not([type="checkbox"]) {
border-color: var(--_danger) !important;
}
textarea {
resize: vertical;
field-sizing: content;
min-block-size: 5.5rem;
max-block-size: 24rem;
}
.option {
display: flex;
align-items: flex-start;
gap: 0.65rem;
padding: 0.35rem 0;
cursor: pointer;
}
.option input {
flex: none;
inline-size: 1.25rem;
block-size: 1.25rem;
margin: 0.1rem 0 0;
accent-color: var(--_accent);
}
.buttons {
display: flex;
flex-wrap: wrap;
gap: 0.6rem;
}
.status,
.problem,
.warn {
display: flex;
align-items: flex-start;
gap: 0.5rem;
font-size: 0.9rem;
}
.status svg,
.problem svg,
.warn svg {
margin-block-start: 0.1em;
}
.status {
color: var(--_muted);
}
.problem {
padding: 0.6rem 0.8rem;
border-radius: var(--_radius-small);
background: color-mix(in srgb, var(--_danger) 9%, var(--_surface));
color: var(--_danger);
font-weight: 600;
}
.warn {
color: var(--_warning);
}
.settled header {
padding-block-end: 0.85rem;
}
.settled .badge {
background: var(--_sunken);
color: var(--_muted);
}
.settled .badge.good {
background: color-mix(in srgb, var(--_success) 14%, var(--_surface));
color: var(--_success);
}
.settled .badge.bad {
background: color-mix(in srgb, var(--_danger) 11%, var(--_surface));
color: var(--_danger);
}
.settled .title {
color: var(--_muted);
font-size: 0.9em;
font-weight: 500;
}
.settled .sentence {
display: block;
color: var(--_text);
font-size: 1rem;
font-weight: 600;
}
.settled .sentence:focus {
outline: none;
}
.settled:has(.sentence:focus-visible) {
outline: 2px solid var(--_accent);
}
@container (max-width: 26rem) {
header {
padding: 0.8rem 0.9rem 0;
}
.body {
padding: 0.8rem 0.9rem 0.9rem;
}
.buttons > * {
flex: 1 1 100%;
}
header:has(.timer) {
flex-wrap: wrap;
}
header:has(.timer) .title {
flex-basis: 60%;
}
}
@media (forced-colors: active) {
.card,
.message,
.badge {
border: 1px solid CanvasText;
}
}
`;var Cs=[_s,_`
.card {
box-shadow: 0 1px 2px light-dark(rgb(20 30 50 / 6%), transparent), 0 6px 20px light-dark(rgb(20 30 50 / 7%), transparent);
}
.card.open {
animation: arrive 0.22s ease-out;
}
@keyframes arrive {
from {
opacity: 0;
transform: translateY(6px);
}
}
.message:has(.whole) {
padding: 0;
background: none;
}
.from {
display: block;
margin-block-end: 0.1rem;
color: var(--_muted);
font-size: 0.8125rem;
}
.address {
display: block;
color: var(--_muted);
direction: ltr;
text-align: start;
word-break: break-all;
}
.address strong {
color: var(--_text);
font-size: 1.08em;
font-weight: 700;
}
.account {
color: var(--_muted);
font-size: 0.8125rem;
}
.account bdi {
color: var(--_text);
font-weight: 600;
}
.panel ul {
display: grid;
gap: 0.35rem;
list-style: none;
margin: 0.4rem 0 0;
padding: 0;
}
.panel p {
margin: 0;
}
.panel li {
align-items: center;
display: flex;
flex-wrap: wrap;
gap: 0.4rem;
}
.panel li svg {
flex: none;
height: 1rem;
width: 1rem;
}
.panel li bdi {
font-weight: 600;
overflow-wrap: anywhere;
}
.panel li.good svg {
color: var(--_success);
}
.panel li.bad svg {
color: var(--_danger);
}
`];var Lo=6e4,Nt=class extends y{static styles=[$,k,Cs];static properties={request:{attribute:!1},endpoint:{},base:{},conversation:{},token:{attribute:!1},getToken:{attribute:!1},strings:{attribute:!1},theme:{reflect:!0},clock:{attribute:!1}};#e;#n;#t={};#s=Object.create(null);#i;#r="ready";#o;#a={answered:!1,watched:!1};#d="";#c;#u=new qt(this,e=>this.#d=this.#l("secondsLeft",{n:e,service:this.#f()}),()=>this.#p({action:"expire"}));constructor(){super(),this.clock=new Lt}get pending(){return this.#e!==void 0&&!this.#e.outcome&&!this.#o}focus(e){this.renderRoot.querySelector("#outcome, #title")?.focus(e)}refuse(e,n=[]){this.#C("ready"),this.#i=[e,...this.#_(n)].join(" "),this.requestUpdate()}connectedCallback(){super.connectedCallback(),window.addEventListener("message",this.#$)}disconnectedCallback(){super.disconnectedCallback(),window.removeEventListener("message",this.#$)}willUpdate(e){e.has("request")&&this.#h(Me(this.request))}#h(e){let n=e?.elicitationId!==this.#e?.elicitationId;this.#e=e,n&&(this.#n=e?.mode==="form"?ve(e.requestedSchema,e.fieldOrder):void 0,this.#t=xi(this.#n??[]),this.#s=Object.create(null),this.#i=this.#o=void 0,this.#r="ready",this.#a={answered:!1,watched:!1},this.#u.start(e?.expiresAt,this.clock)),this.pending?this.#a.watched=!0:this.#m()}#m(){this.#u.stop(),this.shadowRoot?.activeElement&&(this.#c="outcome")}#p(e){this.#o=e,this.#m(),this.requestUpdate()}get#l(){return mt(this.strings)}#f(){return se(dt(this.#e)||this.#l("someone"))}#g(){return new URL(this.base||this.endpoint||location.origin,document.baseURI).href}#y(){let e=this.#e;if(e.context.trigger==="approvers")return"waiting";if(e.mode==="url")return"connect";if(!this.#n)return"unsupported";let[n,...i]=this.#n;return e.context.trigger==="tool_approval"&&n?.name==="decision"&&n.kind==="choice"&&!i.some(r=>r.required||r.kind!=="choice"&&!I(r)&&!(r.kind==="string"&&r.name==="reason"))?"approval":"form"}render(){if(!this.#e)return l;let e=this.#E(this.#e),n=this.#S();return o`${n?Di(e,n):Oi(e,this.#A())}
<div class="hidden" role="status">${n&&this.#a.watched?n.sentence:this.#d}</div>
<div class="hidden" role="alert">${n?l:this.#i}</div>`}#S(){let e=this.#e.outcome??this.#o;return e==="elsewhere"?{tone:"neutral",sentence:this.#l("answerSettled")}:e&&pt(this.#e,e,this.#a,this.#l)}#E(e){let n=this.#g();return{kind:this.#y(),question:e,service:this.#f(),phase:this.#r,problem:this.#i,address:e.mode==="url"?An(e.url,n,e.context.domain):void 0,hosted:new URL(`answer/${encodeURIComponent(e.elicitationId)}`,new URL("/",n)).href,fields:this.#n??[],entries:this.#t,errors:this.#s,say:this.#l,open:this.#w,submit:this.#B,decline:()=>{this.#b("decline")},decide:i=>this.#R(i),enter:(i,s)=>{this.#t={...this.#t,[i]:s},delete this.#s[i],this.requestUpdate()}}}#A(){let{left:e}=this.#u;if(e===void 0)return l;let n=new Date(this.#e?.expiresAt??"").toLocaleString(this.lang||void 0);return o`<span class="timer ${e<=Lo?"soon":""}" role="timer" aria-live="off"
title=${this.#l("expiresAt",{time:n})}>${M.clock}${this.#l("expiresIn",{time:$s(e)})}</span>`}#w=e=>{let{url:n,context:i}=this.#e,s=An(n,this.#g());if(!s)return e.preventDefault();this.#i=void 0,this.#r=s.foreign||xs(s.href)?"opened":"blocked",this.requestUpdate(),s.foreign&&i.trigger==="mcp_elicitation"&&i.settledBy!=="page"&&this.#b("accept")};#$=e=>{let n=e.data;!this.pending||n?.type!=="parley:settled"||n.elicitationId!==this.#e?.elicitationId||e.origin===new URL(this.#g()).origin&&(this.#r="confirming",this.requestUpdate(),this.#v("parley-hint",{elicitationId:n.elicitationId}))};#B=e=>{e.preventDefault();let{content:n,errors:i}=nn(this.#n??[],this.#t,this.#l);this.#k(i)||this.#b("accept",n)};#k(e){this.#s=e;let n=Object.keys(e).length>0;return n&&this.#x(),n}#R(e){let[n,...i]=this.#n??[],s=f=>nn(i.filter(f),this.#t,this.#l),{content:r}=s(f=>f.kind==="choice"&&!I(f)),a=e==="always_allow";if(e==="allow_once"&&Object.keys(r).length>0){let f=n?.options.find(g=>g.value==="always_allow")?.label??this.#l("always_allow");return this.#i=this.#l("limitsUnused",{always:p(f)}),this.requestUpdate()}let c=a||e==="allow_once"||e==="changed",u=s(f=>c?I(f):f.kind==="string"&&!I(f));if(c&&this.#k(u.errors))return;let m={...a&&r,...u.content,decision:e};this.#b("accept",m,hn(this.#n??[],m))}#x(){this.#i=this.#l("answerInvalid");let e=this.#n?.findIndex(n=>n.name in this.#s)??-1;e>=0&&(this.#c=Ai({id:`field-${e}`,field:this.#n[e]})),this.requestUpdate()}#_(e){let n=[];for(let{field:i,message:s}of e)this.#n?.some(r=>r.name===i)?this.#s[i]=s:n.push(s);return n}async#b(e,n,i){if(this.#r==="sending"||!this.pending)return;let{elicitationId:s}=this.#e,r={elicitationId:s,action:e,...n&&{content:n}},a=this.#r;if(this.#r="sending",this.#i=void 0,this.#a={answered:!0,watched:!0,decision:this.#y()==="approval"?String(n?.decision):void 0,chosen:i},this.requestUpdate(),!this.#v("parley-answer",r)||!this.endpoint)return;let c=()=>this.#e?.elicitationId===s;try{await us(this.endpoint,{base:"",token:this.token,getToken:this.getToken},this.conversation??"",r)}catch(u){c()&&this.#T(u,a);return}c()&&this.#p({action:e}),this.#v("parley-answered",r)}#C(e){this.#r=e,this.#a={answered:!1,watched:!0}}#T(e,n){this.#C(n);let i=e instanceof ce?e.status:0;if(e instanceof ce&&i===400){let s=this.#_(e.fields);this.#x(),(s.length>0||e.fields.length===0)&&(this.#i=s.join(" ")||e.said||this.#l("answerFailed"))}else i===409?this.#p("elsewhere"):i===410?this.#p({action:"expire"}):i===401?this.#i=this.#l("answerSignedOut"):i===403||i===404?this.#i=this.#l("answerForbidden"):this.#i=this.#l(i===0?"answerUnreachable":"answerFailed");this.requestUpdate(),this.#v("parley-refused",{elicitationId:this.#e.elicitationId,status:i})}#v(e,n){return this.dispatchEvent(new CustomEvent(e,{bubbles:!0,composed:!0,cancelable:e==="parley-answer",detail:n}))}updated(){let e=this.#c;this.#c=void 0,e&&this.renderRoot.querySelector(`#${e}`)?.focus()}};customElements.define("parley-question",Nt);customElements.define("parley-inbox-many",Bt);customElements.define("parley-inbox-questions",It);customElements.define("parley-inbox-history",Et);customElements.define("parley-inbox-connections",xt);customElements.define("parley-inbox-permissions",Rt);customElements.define("parley-inbox-absence",st);customElements.define("parley-inbox-channels",at);customElements.define("parley-inbox-conversations",_t);customElements.define("parley-inbox-devices",St);customElements.define("parley-inbox-logins",At);customElements.define("parley-inbox-notifications",it);cs();customElements.define("parley-inbox",tt);
/*! Bundled license information:

@lit/reactive-element/css-tag.js:
(**
* @license
* Copyright 2019 Google LLC
* SPDX-License-Identifier: BSD-3-Clause
*)

@lit/reactive-element/reactive-element.js:
lit-html/lit-html.js:
lit-element/lit-element.js:
lit-html/directive.js:
lit-html/directives/repeat.js:
(**
* @license
* Copyright 2017 Google LLC
* SPDX-License-Identifier: BSD-3-Clause
*)

lit-html/is-server.js:
(**
* @license
* Copyright 2022 Google LLC
* SPDX-License-Identifier: BSD-3-Clause
*)

lit-html/directive-helpers.js:
lit-html/directives/live.js:
(**
* @license
* Copyright 2020 Google LLC
* SPDX-License-Identifier: BSD-3-Clause
*)

lit-html/directives/keyed.js:
(**
* @license
* Copyright 2021 Google LLC
* SPDX-License-Identifier: BSD-3-Clause
*)
*/
