var Bo=Object.defineProperty;var No=(e,t)=>{for(var n in t)Bo(e,n,{get:t[n],enumerable:!0})};var jt=globalThis,Ut=jt.ShadowRoot&&(jt.ShadyCSS===void 0||jt.ShadyCSS.nativeShadow)&&"adoptedStyleSheets"in Document.prototype&&"replace"in CSSStyleSheet.prototype,Yn=Symbol(),ui=new WeakMap,xt=class{constructor(t,n,r){if(this._$cssResult$=!0,r!==Yn)throw Error("CSSResult is not constructable. Use `unsafeCSS` or `css` instead.");this.cssText=t,this.t=n}get styleSheet(){let t=this.o,n=this.t;if(Ut&&t===void 0){let r=n!==void 0&&n.length===1;r&&(t=ui.get(n)),t===void 0&&((this.o=t=new CSSStyleSheet).replaceSync(this.cssText),r&&ui.set(n,t))}return t}toString(){return this.cssText}},ci=e=>new xt(typeof e=="string"?e:e+"",void 0,Yn),be=(e,...t)=>{let n=e.length===1?e[0]:t.reduce((r,i,s)=>r+(o=>{if(o._$cssResult$===!0)return o.cssText;if(typeof o=="number")return o;throw Error("Value passed to 'css' function must be a 'css' function result: "+o+". Use 'unsafeCSS' to pass non-literal values, but take care to ensure page security.")})(i)+e[s+1],e[0]);return new xt(n,e,Yn)},di=(e,t)=>{if(Ut)e.adoptedStyleSheets=t.map(n=>n instanceof CSSStyleSheet?n:n.styleSheet);else for(let n of t){let r=document.createElement("style"),i=jt.litNonce;i!==void 0&&r.setAttribute("nonce",i),r.textContent=n.cssText,e.appendChild(r)}},Jn=Ut?e=>e:e=>e instanceof CSSStyleSheet?(t=>{let n="";for(let r of t.cssRules)n+=r.cssText;return ci(n)})(e):e;var{is:Ho,defineProperty:jo,getOwnPropertyDescriptor:Uo,getOwnPropertyNames:Vo,getOwnPropertySymbols:Wo,getPrototypeOf:Qo}=Object,Vt=globalThis,hi=Vt.trustedTypes,Yo=hi?hi.emptyScript:"",Jo=Vt.reactiveElementPolyfillSupport,yt=(e,t)=>e,Kn={toAttribute(e,t){switch(t){case Boolean:e=e?Yo:null;break;case Object:case Array:e=e==null?e:JSON.stringify(e)}return e},fromAttribute(e,t){let n=e;switch(t){case Boolean:n=e!==null;break;case Number:n=e===null?null:Number(e);break;case Object:case Array:try{n=JSON.parse(e)}catch{n=null}}return n}},mi=(e,t)=>!Ho(e,t),pi={attribute:!0,type:String,converter:Kn,reflect:!1,useDefault:!1,hasChanged:mi};Symbol.metadata??=Symbol("metadata"),Vt.litPropertyMetadata??=new WeakMap;var Se=class extends HTMLElement{static addInitializer(t){this._$Ei(),(this.l??=[]).push(t)}static get observedAttributes(){return this.finalize(),this._$Eh&&[...this._$Eh.keys()]}static createProperty(t,n=pi){if(n.state&&(n.attribute=!1),this._$Ei(),this.prototype.hasOwnProperty(t)&&((n=Object.create(n)).wrapped=!0),this.elementProperties.set(t,n),!n.noAccessor){let r=Symbol(),i=this.getPropertyDescriptor(t,r,n);i!==void 0&&jo(this.prototype,t,i)}}static getPropertyDescriptor(t,n,r){let{get:i,set:s}=Uo(this.prototype,t)??{get(){return this[n]},set(o){this[n]=o}};return{get:i,set(o){let a=i?.call(this);s?.call(this,o),this.requestUpdate(t,a,r)},configurable:!0,enumerable:!0}}static getPropertyOptions(t){return this.elementProperties.get(t)??pi}static _$Ei(){if(this.hasOwnProperty(yt("elementProperties")))return;let t=Qo(this);t.finalize(),t.l!==void 0&&(this.l=[...t.l]),this.elementProperties=new Map(t.elementProperties)}static finalize(){if(this.hasOwnProperty(yt("finalized")))return;if(this.finalized=!0,this._$Ei(),this.hasOwnProperty(yt("properties"))){let n=this.properties,r=[...Vo(n),...Wo(n)];for(let i of r)this.createProperty(i,n[i])}let t=this[Symbol.metadata];if(t!==null){let n=litPropertyMetadata.get(t);if(n!==void 0)for(let[r,i]of n)this.elementProperties.set(r,i)}this._$Eh=new Map;for(let[n,r]of this.elementProperties){let i=this._$Eu(n,r);i!==void 0&&this._$Eh.set(i,n)}this.elementStyles=this.finalizeStyles(this.styles)}static finalizeStyles(t){let n=[];if(Array.isArray(t)){let r=new Set(t.flat(1/0).reverse());for(let i of r)n.unshift(Jn(i))}else t!==void 0&&n.push(Jn(t));return n}static _$Eu(t,n){let r=n.attribute;return r===!1?void 0:typeof r=="string"?r:typeof t=="string"?t.toLowerCase():void 0}constructor(){super(),this._$Ep=void 0,this.isUpdatePending=!1,this.hasUpdated=!1,this._$Em=null,this._$Ev()}_$Ev(){this._$ES=new Promise(t=>this.enableUpdating=t),this._$AL=new Map,this._$E_(),this.requestUpdate(),this.constructor.l?.forEach(t=>t(this))}addController(t){(this._$EO??=new Set).add(t),this.renderRoot!==void 0&&this.isConnected&&t.hostConnected?.()}removeController(t){this._$EO?.delete(t)}_$E_(){let t=new Map,n=this.constructor.elementProperties;for(let r of n.keys())this.hasOwnProperty(r)&&(t.set(r,this[r]),delete this[r]);t.size>0&&(this._$Ep=t)}createRenderRoot(){let t=this.shadowRoot??this.attachShadow(this.constructor.shadowRootOptions);return di(t,this.constructor.elementStyles),t}connectedCallback(){this.renderRoot??=this.createRenderRoot(),this.enableUpdating(!0),this._$EO?.forEach(t=>t.hostConnected?.())}enableUpdating(t){}disconnectedCallback(){this._$EO?.forEach(t=>t.hostDisconnected?.())}attributeChangedCallback(t,n,r){this._$AK(t,r)}_$ET(t,n){let r=this.constructor.elementProperties.get(t),i=this.constructor._$Eu(t,r);if(i!==void 0&&r.reflect===!0){let s=(r.converter?.toAttribute!==void 0?r.converter:Kn).toAttribute(n,r.type);this._$Em=t,s==null?this.removeAttribute(i):this.setAttribute(i,s),this._$Em=null}}_$AK(t,n){let r=this.constructor,i=r._$Eh.get(t);if(i!==void 0&&this._$Em!==i){let s=r.getPropertyOptions(i),o=typeof s.converter=="function"?{fromAttribute:s.converter}:s.converter?.fromAttribute!==void 0?s.converter:Kn;this._$Em=i;let a=o.fromAttribute(n,s.type);this[i]=a??this._$Ej?.get(i)??a,this._$Em=null}}requestUpdate(t,n,r,i=!1,s){if(t!==void 0){let o=this.constructor;if(i===!1&&(s=this[t]),r??=o.getPropertyOptions(t),!((r.hasChanged??mi)(s,n)||r.useDefault&&r.reflect&&s===this._$Ej?.get(t)&&!this.hasAttribute(o._$Eu(t,r))))return;this.C(t,n,r)}this.isUpdatePending===!1&&(this._$ES=this._$EP())}C(t,n,{useDefault:r,reflect:i,wrapped:s},o){r&&!(this._$Ej??=new Map).has(t)&&(this._$Ej.set(t,o??n??this[t]),s!==!0||o!==void 0)||(this._$AL.has(t)||(this.hasUpdated||r||(n=void 0),this._$AL.set(t,n)),i===!0&&this._$Em!==t&&(this._$Eq??=new Set).add(t))}async _$EP(){this.isUpdatePending=!0;try{await this._$ES}catch(n){Promise.reject(n)}let t=this.scheduleUpdate();return t!=null&&await t,!this.isUpdatePending}scheduleUpdate(){return this.performUpdate()}performUpdate(){if(!this.isUpdatePending)return;if(!this.hasUpdated){if(this.renderRoot??=this.createRenderRoot(),this._$Ep){for(let[i,s]of this._$Ep)this[i]=s;this._$Ep=void 0}let r=this.constructor.elementProperties;if(r.size>0)for(let[i,s]of r){let{wrapped:o}=s,a=this[i];o!==!0||this._$AL.has(i)||a===void 0||this.C(i,void 0,s,a)}}let t=!1,n=this._$AL;try{t=this.shouldUpdate(n),t?(this.willUpdate(n),this._$EO?.forEach(r=>r.hostUpdate?.()),this.update(n)):this._$EM()}catch(r){throw t=!1,this._$EM(),r}t&&this._$AE(n)}willUpdate(t){}_$AE(t){this._$EO?.forEach(n=>n.hostUpdated?.()),this.hasUpdated||(this.hasUpdated=!0,this.firstUpdated(t)),this.updated(t)}_$EM(){this._$AL=new Map,this.isUpdatePending=!1}get updateComplete(){return this.getUpdateComplete()}getUpdateComplete(){return this._$ES}shouldUpdate(t){return!0}update(t){this._$Eq&&=this._$Eq.forEach(n=>this._$ET(n,this[n])),this._$EM()}updated(t){}firstUpdated(t){}};Se.elementStyles=[],Se.shadowRootOptions={mode:"open"},Se[yt("elementProperties")]=new Map,Se[yt("finalized")]=new Map,Jo?.({ReactiveElement:Se}),(Vt.reactiveElementVersions??=[]).push("2.1.2");var Zn=globalThis,fi=e=>e,Wt=Zn.trustedTypes,gi=Wt?Wt.createPolicy("lit-html",{createHTML:e=>e}):void 0,Xn="$lit$",_e=`lit$${Math.random().toFixed(9).slice(2)}$`,er="?"+_e,Ko=`<${er}>`,Ve=document,vt=()=>Ve.createComment(""),$t=e=>e===null||typeof e!="object"&&typeof e!="function",tr=Array.isArray,vi=e=>tr(e)||typeof e?.[Symbol.iterator]=="function",Gn=`[ 	
\f\r]`,wt=/<(?:(!--|\/[^a-zA-Z])|(\/?[a-zA-Z][^>\s]*)|(\/?$))/g,bi=/-->/g,ki=/>/g,je=RegExp(`>|${Gn}(?:([^\\s"'>=/]+)(${Gn}*=${Gn}*(?:[^ 	
\f\r"'\`<>=]|("|')|))|$)`,"g"),xi=/'/g,yi=/"/g,$i=/^(?:script|style|textarea|title)$/i,nr=e=>(t,...n)=>({_$litType$:e,strings:t,values:n}),k=nr(1),re=nr(2),$c=nr(3),ne=Symbol.for("lit-noChange"),$=Symbol.for("lit-nothing"),wi=new WeakMap,Ue=Ve.createTreeWalker(Ve,129);function Si(e,t){if(!tr(e)||!e.hasOwnProperty("raw"))throw Error("invalid template strings array");return gi!==void 0?gi.createHTML(t):t}var _i=(e,t)=>{let n=e.length-1,r=[],i,s=t===2?"<svg>":t===3?"<math>":"",o=wt;for(let a=0;a<n;a++){let l=e[a],c,u,d=-1,f=0;for(;f<l.length&&(o.lastIndex=f,u=o.exec(l),u!==null);)f=o.lastIndex,o===wt?u[1]==="!--"?o=bi:u[1]!==void 0?o=ki:u[2]!==void 0?($i.test(u[2])&&(i=RegExp("</"+u[2],"g")),o=je):u[3]!==void 0&&(o=je):o===je?u[0]===">"?(o=i??wt,d=-1):u[1]===void 0?d=-2:(d=o.lastIndex-u[2].length,c=u[1],o=u[3]===void 0?je:u[3]==='"'?yi:xi):o===yi||o===xi?o=je:o===bi||o===ki?o=wt:(o=je,i=void 0);let h=o===je&&e[a+1].startsWith("/>")?" ":"";s+=o===wt?l+Ko:d>=0?(r.push(c),l.slice(0,d)+Xn+l.slice(d)+_e+h):l+_e+(d===-2?a:h)}return[Si(e,s+(e[n]||"<?>")+(t===2?"</svg>":t===3?"</math>":"")),r]},St=class e{constructor({strings:t,_$litType$:n},r){let i;this.parts=[];let s=0,o=0,a=t.length-1,l=this.parts,[c,u]=_i(t,n);if(this.el=e.createElement(c,r),Ue.currentNode=this.el.content,n===2||n===3){let d=this.el.content.firstChild;d.replaceWith(...d.childNodes)}for(;(i=Ue.nextNode())!==null&&l.length<a;){if(i.nodeType===1){if(i.hasAttributes())for(let d of i.getAttributeNames())if(d.endsWith(Xn)){let f=u[o++],h=i.getAttribute(d).split(_e),y=/([.?@])?(.*)/.exec(f);l.push({type:1,index:s,name:y[2],strings:h,ctor:y[1]==="."?Yt:y[1]==="?"?Jt:y[1]==="@"?Kt:Qe}),i.removeAttribute(d)}else d.startsWith(_e)&&(l.push({type:6,index:s}),i.removeAttribute(d));if($i.test(i.tagName)){let d=i.textContent.split(_e),f=d.length-1;if(f>0){i.textContent=Wt?Wt.emptyScript:"";for(let h=0;h<f;h++)i.append(d[h],vt()),Ue.nextNode(),l.push({type:2,index:++s});i.append(d[f],vt())}}}else if(i.nodeType===8)if(i.data===er)l.push({type:2,index:s});else{let d=-1;for(;(d=i.data.indexOf(_e,d+1))!==-1;)l.push({type:7,index:s}),d+=_e.length-1}s++}}static createElement(t,n){let r=Ve.createElement("template");return r.innerHTML=t,r}};function We(e,t,n=e,r){if(t===ne)return t;let i=r!==void 0?n._$Co?.[r]:n._$Cl,s=$t(t)?void 0:t._$litDirective$;return i?.constructor!==s&&(i?._$AO?.(!1),s===void 0?i=void 0:(i=new s(e),i._$AT(e,n,r)),r!==void 0?(n._$Co??=[])[r]=i:n._$Cl=i),i!==void 0&&(t=We(e,i._$AS(e,t.values),i,r)),t}var Qt=class{constructor(t,n){this._$AV=[],this._$AN=void 0,this._$AD=t,this._$AM=n}get parentNode(){return this._$AM.parentNode}get _$AU(){return this._$AM._$AU}u(t){let{el:{content:n},parts:r}=this._$AD,i=(t?.creationScope??Ve).importNode(n,!0);Ue.currentNode=i;let s=Ue.nextNode(),o=0,a=0,l=r[0];for(;l!==void 0;){if(o===l.index){let c;l.type===2?c=new it(s,s.nextSibling,this,t):l.type===1?c=new l.ctor(s,l.name,l.strings,this,t):l.type===6&&(c=new Gt(s,this,t)),this._$AV.push(c),l=r[++a]}o!==l?.index&&(s=Ue.nextNode(),o++)}return Ue.currentNode=Ve,i}p(t){let n=0;for(let r of this._$AV)r!==void 0&&(r.strings!==void 0?(r._$AI(t,r,n),n+=r.strings.length-2):r._$AI(t[n])),n++}},it=class e{get _$AU(){return this._$AM?._$AU??this._$Cv}constructor(t,n,r,i){this.type=2,this._$AH=$,this._$AN=void 0,this._$AA=t,this._$AB=n,this._$AM=r,this.options=i,this._$Cv=i?.isConnected??!0}get parentNode(){let t=this._$AA.parentNode,n=this._$AM;return n!==void 0&&t?.nodeType===11&&(t=n.parentNode),t}get startNode(){return this._$AA}get endNode(){return this._$AB}_$AI(t,n=this){t=We(this,t,n),$t(t)?t===$||t==null||t===""?(this._$AH!==$&&this._$AR(),this._$AH=$):t!==this._$AH&&t!==ne&&this._(t):t._$litType$!==void 0?this.$(t):t.nodeType!==void 0?this.T(t):vi(t)?this.k(t):this._(t)}O(t){return this._$AA.parentNode.insertBefore(t,this._$AB)}T(t){this._$AH!==t&&(this._$AR(),this._$AH=this.O(t))}_(t){this._$AH!==$&&$t(this._$AH)?this._$AA.nextSibling.data=t:this.T(Ve.createTextNode(t)),this._$AH=t}$(t){let{values:n,_$litType$:r}=t,i=typeof r=="number"?this._$AC(t):(r.el===void 0&&(r.el=St.createElement(Si(r.h,r.h[0]),this.options)),r);if(this._$AH?._$AD===i)this._$AH.p(n);else{let s=new Qt(i,this),o=s.u(this.options);s.p(n),this.T(o),this._$AH=s}}_$AC(t){let n=wi.get(t.strings);return n===void 0&&wi.set(t.strings,n=new St(t)),n}k(t){tr(this._$AH)||(this._$AH=[],this._$AR());let n=this._$AH,r,i=0;for(let s of t)i===n.length?n.push(r=new e(this.O(vt()),this.O(vt()),this,this.options)):r=n[i],r._$AI(s),i++;i<n.length&&(this._$AR(r&&r._$AB.nextSibling,i),n.length=i)}_$AR(t=this._$AA.nextSibling,n){for(this._$AP?.(!1,!0,n);t!==this._$AB;){let r=fi(t).nextSibling;fi(t).remove(),t=r}}setConnected(t){this._$AM===void 0&&(this._$Cv=t,this._$AP?.(t))}},Qe=class{get tagName(){return this.element.tagName}get _$AU(){return this._$AM._$AU}constructor(t,n,r,i,s){this.type=1,this._$AH=$,this._$AN=void 0,this.element=t,this.name=n,this._$AM=i,this.options=s,r.length>2||r[0]!==""||r[1]!==""?(this._$AH=Array(r.length-1).fill(new String),this.strings=r):this._$AH=$}_$AI(t,n=this,r,i){let s=this.strings,o=!1;if(s===void 0)t=We(this,t,n,0),o=!$t(t)||t!==this._$AH&&t!==ne,o&&(this._$AH=t);else{let a=t,l,c;for(t=s[0],l=0;l<s.length-1;l++)c=We(this,a[r+l],n,l),c===ne&&(c=this._$AH[l]),o||=!$t(c)||c!==this._$AH[l],c===$?t=$:t!==$&&(t+=(c??"")+s[l+1]),this._$AH[l]=c}o&&!i&&this.j(t)}j(t){t===$?this.element.removeAttribute(this.name):this.element.setAttribute(this.name,t??"")}},Yt=class extends Qe{constructor(){super(...arguments),this.type=3}j(t){this.element[this.name]=t===$?void 0:t}},Jt=class extends Qe{constructor(){super(...arguments),this.type=4}j(t){this.element.toggleAttribute(this.name,!!t&&t!==$)}},Kt=class extends Qe{constructor(t,n,r,i,s){super(t,n,r,i,s),this.type=5}_$AI(t,n=this){if((t=We(this,t,n,0)??$)===ne)return;let r=this._$AH,i=t===$&&r!==$||t.capture!==r.capture||t.once!==r.once||t.passive!==r.passive,s=t!==$&&(r===$||i);i&&this.element.removeEventListener(this.name,this,r),s&&this.element.addEventListener(this.name,this,t),this._$AH=t}handleEvent(t){typeof this._$AH=="function"?this._$AH.call(this.options?.host??this.element,t):this._$AH.handleEvent(t)}},Gt=class{constructor(t,n,r){this.element=t,this.type=6,this._$AN=void 0,this._$AM=n,this.options=r}get _$AU(){return this._$AM._$AU}_$AI(t){We(this,t)}},Ti={M:Xn,P:_e,A:er,C:1,L:_i,R:Qt,D:vi,V:We,I:it,H:Qe,N:Jt,U:Kt,B:Yt,F:Gt},Go=Zn.litHtmlPolyfillSupport;Go?.(St,it),(Zn.litHtmlVersions??=[]).push("3.3.3");var Ai=(e,t,n)=>{let r=n?.renderBefore??t,i=r._$litPart$;if(i===void 0){let s=n?.renderBefore??null;r._$litPart$=i=new it(t.insertBefore(vt(),s),s,void 0,n??{})}return i._$AI(e),i};var rr=globalThis,ke=class extends Se{constructor(){super(...arguments),this.renderOptions={host:this},this._$Do=void 0}createRenderRoot(){let t=super.createRenderRoot();return this.renderOptions.renderBefore??=t.firstChild,t}update(t){let n=this.render();this.hasUpdated||(this.renderOptions.isConnected=this.isConnected),super.update(t),this._$Do=Ai(n,this.renderRoot,this.renderOptions)}connectedCallback(){super.connectedCallback(),this._$Do?.setConnected(!0)}disconnectedCallback(){super.disconnectedCallback(),this._$Do?.setConnected(!1)}render(){return ne}};ke._$litElement$=!0,ke.finalized=!0,rr.litElementHydrateSupport?.({LitElement:ke});var Zo=rr.litElementPolyfillSupport;Zo?.({LitElement:ke});(rr.litElementVersions??=[]).push("4.2.2");var Te={ATTRIBUTE:1,CHILD:2,PROPERTY:3,BOOLEAN_ATTRIBUTE:4,EVENT:5,ELEMENT:6},st=e=>(...t)=>({_$litDirective$:e,values:t}),Pe=class{constructor(t){}get _$AU(){return this._$AM._$AU}_$AT(t,n,r){this._$Ct=t,this._$AM=n,this._$Ci=r}_$AS(t,n){return this.update(t,n)}update(t,n){return this.render(...n)}};var{I:Xo}=Ti,Ei=e=>e;var Ii=e=>e.strings===void 0,Ci=()=>document.createComment(""),ot=(e,t,n)=>{let r=e._$AA.parentNode,i=t===void 0?e._$AB:t._$AA;if(n===void 0){let s=r.insertBefore(Ci(),i),o=r.insertBefore(Ci(),i);n=new Xo(s,o,e,e.options)}else{let s=n._$AB.nextSibling,o=n._$AM,a=o!==e;if(a){let l;n._$AQ?.(e),n._$AM=e,n._$AP!==void 0&&(l=e._$AU)!==o._$AU&&n._$AP(l)}if(s!==i||a){let l=n._$AA;for(;l!==s;){let c=Ei(l).nextSibling;Ei(r).insertBefore(l,i),l=c}}}return n},Re=(e,t,n=e)=>(e._$AI(t,n),e),ea={},Zt=(e,t=ea)=>e._$AH=t,zi=e=>e._$AH,Xt=e=>{e._$AR(),e._$AA.remove()};var Ae=st(class extends Pe{constructor(e){if(super(e),e.type!==Te.PROPERTY&&e.type!==Te.ATTRIBUTE&&e.type!==Te.BOOLEAN_ATTRIBUTE)throw Error("The `live` directive is not allowed on child or event bindings");if(!Ii(e))throw Error("`live` bindings can only contain a single expression")}render(e){return e}update(e,[t]){if(t===ne||t===$)return t;let n=e.element,r=e.name;if(e.type===Te.PROPERTY){if(t===n[r])return ne}else if(e.type===Te.BOOLEAN_ATTRIBUTE){if(!!t===n.hasAttribute(r))return ne}else if(e.type===Te.ATTRIBUTE&&n.getAttribute(r)===t+"")return ne;return Zt(e),t}});var Li=(e,t,n)=>{let r=new Map;for(let i=t;i<=n;i++)r.set(e[i],i);return r},en=st(class extends Pe{constructor(e){if(super(e),e.type!==Te.CHILD)throw Error("repeat() can only be used in text expressions")}dt(e,t,n){let r;n===void 0?n=t:t!==void 0&&(r=t);let i=[],s=[],o=0;for(let a of e)i[o]=r?r(a,o):o,s[o]=n(a,o),o++;return{values:s,keys:i}}render(e,t,n){return this.dt(e,t,n).values}update(e,[t,n,r]){let i=zi(e),{values:s,keys:o}=this.dt(t,n,r);if(!Array.isArray(i))return this.ut=o,s;let a=this.ut??=[],l=[],c,u,d=0,f=i.length-1,h=0,y=s.length-1;for(;d<=f&&h<=y;)if(i[d]===null)d++;else if(i[f]===null)f--;else if(a[d]===o[h])l[h]=Re(i[d],s[h]),d++,h++;else if(a[f]===o[y])l[y]=Re(i[f],s[y]),f--,y--;else if(a[d]===o[y])l[y]=Re(i[d],s[y]),ot(e,l[y+1],i[d]),d++,y--;else if(a[f]===o[h])l[h]=Re(i[f],s[h]),ot(e,i[d],i[f]),f--,h++;else if(c===void 0&&(c=Li(o,h,y),u=Li(a,d,f)),c.has(a[d]))if(c.has(a[f])){let I=u.get(o[h]),R=I!==void 0?i[I]:null;if(R===null){let v=ot(e,i[d]);Re(v,s[h]),l[h]=v}else l[h]=Re(R,s[h]),ot(e,i[d],R),i[I]=null;h++}else Xt(i[f]),f--;else Xt(i[d]),d++;for(;h<=y;){let I=ot(e,l[y+1]);Re(I,s[h]),l[h++]=I}for(;d<=f;){let I=i[d++];I!==null&&Xt(I)}return this.ut=o,Zt(e,l),ne}});var Mi=be`
  .code {
    border: 1px solid var(--_hair);
    border-radius: var(--_radius-small);
    background: var(--_sunken);
    overflow: hidden;
  }
  .code .bar {
    display: flex;
    align-items: center;
    justify-content: space-between;
    gap: 0.5rem;
    padding-inline: 0.9rem 0.25rem;
    border-block-end: 1px solid var(--_hair);
    direction: ltr;
  }
  .language {
    min-inline-size: 0;
    overflow: hidden;
    color: var(--_muted);
    font-family: var(--_mono);
    font-size: 0.8125rem;
    text-overflow: ellipsis;
    white-space: nowrap;
  }
  .code pre {
    border-radius: 0;
    background: none;
  }
  .code pre:focus-visible {
    outline-offset: -2px;
  }
  :is(.code, .actions) button {
    gap: 0.35rem;
    min-block-size: 2rem;
    padding: 0.2rem 0.6rem;
    font-size: 0.8125rem;
    font-weight: 450;
  }
  :is(.code, .actions) button svg {
    inline-size: 1.05rem;
    block-size: 1.05rem;
  }
  .after,
  [data-done] .before {
    display: none;
  }
  [data-done] .after {
    display: inline;
  }
  .actions {
    display: flex;
    flex-wrap: wrap;
    gap: 0.25rem;
    margin-block-start: -0.4rem;
    margin-inline-start: -0.6rem;
  }
  .text li.task {
    list-style: none;
    margin-inline-start: -1.3rem;
  }
  .box {
    margin-inline-end: 0.4rem;
  }
  .text del {
    color: var(--_muted);
  }
  .mark {
    display: flex;
    flex-wrap: wrap;
    align-items: center;
    gap: 0.4rem 0.55rem;
    padding: 0.4rem 0.5rem 0.4rem 0.75rem;
    border-inline-start: 3px solid currentColor;
    border-radius: var(--_radius-small);
    background: color-mix(in srgb, currentColor 8%, var(--_background));
    font-size: 0.9rem;
  }
  .mark.failed {
    color: var(--_danger);
  }
  .mark.stopped {
    color: var(--_muted);
  }
  .mark span {
    flex: 1 1 12rem;
    min-inline-size: 0;
  }
  .mark button {
    min-block-size: 2.1rem;
    padding: 0.2rem 0.75rem;
  }
  .service {
    color: var(--_muted);
    font-size: 0.8125rem;
    font-weight: 400;
  }
  .name > .service {
    margin-inline-start: 0.35rem;
  }
  .folded {
    display: grid;
    gap: 0.35rem;
    padding: 0.1rem 0.5rem 0.6rem;
  }
  .folded .tool summary {
    min-block-size: 2.1rem;
  }
  @media (forced-colors: active) {
    .code,
    .mark {
      border: 1px solid CanvasText;
    }
  }
`;var Pi="0 w 2n y c 1 ip 1 14 2 6 4 7 1 1 1 k 1 b1 1 12 2 1e 2 3 1 1j 8 r 4 6 h m 1 5c 1 1c 2 1n 2 2t e 1n 2 1d 2 f 1 s 2 1 1 b 5 v 9 22 1 4h 1 8 2 2 2 m 1 7 1 1 3 4 2 9 2 2 2 4 8 1 4 2 1 5 2 p 2 3 1 6 4 2 2 m 1 7 1 2 1 2 1 2 2 1 1 5 4 2 2 3 3 1 7 4 1 1 7 h a 3 1 9 1 3 1 m 1 7 1 2 1 5 2 a 1 3 1 3 2 1 f 4 2 c 7 7 1 3 1 8 2 2 2 m 1 7 1 2 1 5 2 9 2 2 2 3 7 3 4 2 1 5 2 i a 2 1 6 3 3 1 4 3 2 1 1 1 2 3 2 3 3 3 c 4 5 3 3 1 4 2 1 6 1 e l 5 d 1 3 1 n 1 g 2 9 1 3 1 4 7 2 1 3 2 1 2 4 2 a 7 m 1 3 1 n 1 a 1 5 2 9 1 3 1 4 7 2 6 2 1 4 2 a 1 3 c d 1 3 1 1f 1 3 1 6 4 g 2 q 1 3 1 i 3 o 1 9 1 1 2 7 3 1 4 6 1 1 1 8 6 a 2 3 c 1m 4 t 11 2 1 1 1 5 1 o 1 1 1 n 2 5 1 1 1 7 1 a 2 4 w 20 1 10 4 13 1 10 1 f 1 d 11 5i 1 1 5 1 2 3z 2 6g 1 4 2 7 1 1 1 4 2 15 1 4 2 x 1 4 2 7 1 1 1 4 2 f 1 1l 1 4 2 1v 2 w 3 q 6 2e 2 6 2 hs 1 s 3 2h 7 m 9 o 9 k c d 1 3 1 2 c 1g 2 14 2 a 6 a 6 b 5 a 6 2h 7 17 5 1y a v 1 c 4 c 4 1 3 16 2 5 b 18 4 q 6 b 3 1q 2 1t 1 t 2 b 6 a 6 e 2 v 1d 25 3 1b 1 38 8 1o 3 f 3 1o 7 17 2 b 8 17 5 eu 2 6 2 12 2 6 2 8 1 1 1 1 1 1 1 v 2 1h 1 f 1 e 2 6 1 j 2 3 1 9 h o 8 1b h 2 2 r 1 d 3 x f x f 3w 4 if p b l ps 1 oj 2 w 1 9p 5 19 1 1 5 1 2 1k 7 2 e o 9 7 1 7 1 7 1 7 1 7 1 7 1 7 1 7 1 3i y q 1 2h c 5y q c 5 1q 2 2e 2 2v 5 17 1 1f 1 16 1 2c c 1b 1 mlp 3 1j 9 9o k 54 8 5n 5 2 1 1 1 5 o 1n 3 a 6 1k 8 1y 8 c 6 38 b u 3 26 1 b 4 x 1 1j 9 e 2 a 2 2v o s a 6 2 6 2 6 9 7 1 7 1 1o 4 3i 2 a 6 8mc c n 4 1d 6is a6 2 2y 12 7 c 5 5 q 1 5 1 1 1 2 1 2 1 3h g cd 2 1i 7 1 w g g a 6 1f 1 j 1 4 4 5 1 3r 4 4f 1 u 3 6 2 6 2 6 2 3 3 7 1 7 e 1 2 c 1 q 1 j 1 2 1 f 2 e y 3f 5 3 4 19 3 2g 1 d 3 1 1b 1a 3m t 3 1d f s 4 10 9 u 5 17 5 u 1 11 4 e 16 4e 2 a 6 10 4 10 4 14 8 1g b c 1 f 1 7 1 2 1 b 1 f 1 7 1 2 1v 8n 9 m a 8 o 6 1 16 1 9 1x 6 2 1 1 18 1 2 3 1 2 n 1 20 8 9 1c j 1 2 5 x 3 r 5 1 1s 1k 4 k 2 1e 1 2 5 8 1 3 1 t 2 3 4 a 7 9 7 1s w 13 4 c 9 1i 3 t 2 r 5 q 7 4 c 7 28 21 1j 1f d 1f 7 1a 8 a 86 v 1 16 1 3 2 2 23 17 8 16 m q 12 s k n 9 26 4 10 9 1q 1 5 d p 7 a 6 1h 1 i 8 13 9 2o 1 k b i 1 1b 1q 7 1 1 1 4 1 f 1 b 6 1n 5 a 6 4 1 8 2 2 2 m 1 7 1 2 1 5 1 a 2 2 2 3 2 1 6 1 5 7 2 7 3 5 3v 2k 1 5 u 20 8 a 4m 1i 2 12 y 1x b a 6 d j 1m 6 a 1i r 2 f 4 n 55 1o 2s 2b c 8 2 1 2 8 1 2 1 u 1 2 2 c 9 a 1y 8 2 1a 2 b r 20 8 2b d 21 7 a 6u 9 1 19 1 e a t 3 w 2 m 1 e 21 7 1 2 1 18 3 1 1 2 1 9 8 a 6 6 1 2 1 11 1 2 1 6 7 a 8m p 7 h 1 15 3 s 2e 1 f 1e d pn 2u 33 1 5 b 5g 218 2r d ts g 1 2 j 33e g7 6nt ft 7 v 1 a 4 29 1 a 6 u 2 6 a 1y a a 1 7 1 l 5 j j4 2j 2t 23 4 1l 7 h 1s 4 c 2 e 4qg 8 ye 16 9 6w7 4 1 7 1 2 1 83 f 1 t 3 2 1 e 4 8 b0 1s4 2z 5 d 3 9 7 a 2 4 3mo 1a 2 n 9 38 1o 6u a 13 2 1c 1 p 8 34 l 1y 3e k c k c 2f 9 p 3r 2d 1 1z 1 2 2 1 2 2 2 4 1 c 1 1 1 7 1 1t 1 4 2 8 1 7 1 s 1 4 1 5 1 1 3 7 1 9g 2 84 2 ji f 5 1 f uo v 6 6 5x 7 1 h 2 7 1 2 1 5 5 1q x 1 34 19 3 e 2 a 4 2 8w v h 1m 5 1 cw 16 km 7 1 4 1 2 1 f 1 5h 2 g 15 24 4 a 4 2 lt 1w 24 1p 5e 4 1 r 1 2 1 1 2 1 1 a 1 4 1 1 1 1 6 1 4 1 1 1 1 1 1 3 1 2 1 1 2 1 1 1 1 1 1 1 1 1 1 2 1 1 2 4 1 7 1 4 1 4 1 1 1 a 1 h 5 3 1 5 1 h 1g 2 7i 18 4 2s c f 2 f 1 f 1 11 a 4u 1k t d 18 4 9 7 2 e 6 4a rc 4 h 3 d 3 3b 4 2n 6 c 4 1 f c 4 1k 8 a 6 14 8 u 2 2 26 9g c e 2 d 3 9 7 1a 1 7 8 e 4 9 7 9 7 43 1 1j 11 a sm wyo w 37e 6 66 2 4g2 e 5rl 2e7 f2 15u 3t7 5 38g jgwg";var tn;function rn(e){if(!tn){let r=0;tn=Pi.split(" ").map(i=>r+=parseInt(i,36))}let[t,n]=[0,tn.length];for(;t<n;){let r=t+n>>1;tn[r]<=e?t=r+1:n=r}return t%2===1}function ta(e){return rn(e)&&!/[\p{Zs}\u200c\u200d\ufe0e\ufe0f]/u.test(String.fromCodePoint(e))}var at=/[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufeff\u{10800}-\u{10fff}\u{1e800}-\u{1efff}]/u;function ir(e){return at.test(e)?"rtl":"ltr"}function sr(e,t){if(/^[ -~]*$/.test(e))return e;let n="";for(let r of e)n+=t(r.codePointAt(0))?Oi(r):r;return n}function Oi(e){return Array.from({length:e.length},(t,n)=>"\\u"+e.charCodeAt(n).toString(16).padStart(4,"0")).join("")}function K(e){return ra(sr(e,rn))}function sn(e){let t=K(e);return at.test(t)?`⁨${t}⁩`:t}var qi=e=>e!==9&&e!==10;function xe(e){return sr(e,t=>qi(t)&&rn(t))}var na=/[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/g;function me(e){return sr(e.replace(na,""),t=>qi(t)&&ta(t))}function ra(e){return at.test(e)?e.split(`
`).map(t=>ia(t)?t:Array.from(t,n=>at.test(n)?Oi(n):n).join("")).join(`
`):e}function ia(e){let t=0,n=!1;for(let{kind:r,text:i}of or(e)){let s=/\p{L}/u.test(i);if(r==="phrase")t++;else{if(/\p{N}/u.test(i)||s&&t>0&&!n)return!1;s&&(n=!0)}}return t<=1}var nn=at.source,Ri=`(?:(?!\\p{N})${nn}|\\p{M})`,sa=new RegExp(`(?<number>(?:(?=\\p{N})${nn})+)|(?<phrase>(?=${nn})${Ri}+(?:[,.;:!?]? (?=${nn})${Ri}+)*)`,"gu");function or(e){let t=[],n=0,r=i=>{i>n&&t.push({text:e.slice(n,i)})};for(let i of e.matchAll(sa))r(i.index),t.push({kind:i.groups.number===void 0?"phrase":"number",text:i[0]}),n=i.index+i[0].length;return r(e.length),t}function Fi(e){return e.replace(/\\(?:u(d[89ab][0-9a-f]{2})\\u(d[c-f][0-9a-f]{2})|u([0-9a-f]{4})|[^])/giu,(t,n,r,i)=>{let s=i===void 0?[n,r]:[i];if(s[0]===void 0)return t;let o=String.fromCharCode(...s.map(a=>parseInt(a,16)));return at.test(o)&&!rn(o.codePointAt(0))?o:t})}function Ee(e){try{return JSON.parse(e)}catch{return}}function W(e){return typeof e=="object"&&e!==null&&!Array.isArray(e)?e:void 0}function he(e){return Array.isArray(e)?e:[]}function _(e){return typeof e=="string"?e:void 0}function on(e){if(Ee(e)===void 0)return xe(e);let t="",n=0,r=()=>`
`+"  ".repeat(n);for(let i of e.match(/"(?:[^"\\]|\\.)*"|[{}[\],:]|[^\s{}[\],:"]+/g)??[])switch(i){case"{":case"[":n++,t+=i+r();break;case"}":case"]":n--,t=/[{[]\s*$/.test(t)?t.trimEnd()+i:t+r()+i;break;case",":t+=i+r();break;case":":t+=": ";break;default:t+=xe(i)}return t}function Di(e){if(typeof e=="string")return Ee(e)===void 0?xe(e):on(e);let t=JSON.stringify(e);return t===void 0?"":on(t)}var Bi="conversation_too_long";function an(e){return e?.context.serviceTitle?.trim()||e?.context.service?.trim()||""}function Tt(e){let t=W(e),n=_(t?.elicitationId),r=t?.mode;if(!(!t||!n||r!=="form"&&r!=="url"))return{elicitationId:n,mode:r,message:_(t.message)??"",url:_(t.url),requestedSchema:t.requestedSchema,fieldOrder:t.fieldOrder===void 0?void 0:he(t.fieldOrder).flatMap(i=>_(i)??[]),expiresAt:_(t.expiresAt),context:oa(W(t.context)??{}),outcome:aa(t.outcome)}}function oa(e){let t=e.arguments;return{trigger:_(e.trigger),service:_(e.service),serviceTitle:_(e.serviceTitle),account:_(e.account),tool:_(e.tool),toolCallId:_(e.toolCallId),parentToolCallId:_(e.parentToolCallId),arguments:typeof t=="string"||t===void 0?t:JSON.stringify(t),server:_(e.server),domain:_(e.domain),settledBy:_(e.settledBy)}}function aa(e){let t=W(e);if(!t)return;let n=Object.entries(W(t.limits)??{}).flatMap(([o,a])=>typeof a=="string"?[[o,a]]:[]),r={via:_(t.via),reason:_(t.reason),at:_(t.at),decision:_(t.decision),limits:n.length>0?Object.fromEntries(n):void 0},i=t.action;return i==="accept"||i==="decline"||i==="cancel"||i==="expire"?{action:i,by:_(t.by),...r}:{action:"cancel",...r}}function Ni(e){let t=W(e)??{},n=[];he(t.messages).forEach((i,s)=>{let o=la(i,s);o&&n.push(o)});let r=he(t.activeMessages).flatMap(i=>_(i)??[]);return{messages:n,active:t.active===!0,activeMessages:r}}function la(e,t){let n=W(e),r=n?.role;if(!n||r!=="user"&&r!=="assistant")return;let i=[];if(he(n.parts).forEach((s,o)=>{let a=ua(W(s)??{},o);a&&i.push(a)}),i.length!==0)return{id:_(n.id)??`history-${t}`,role:r,parts:i}}function ua(e,t){let n=_(e.type)??"";if(n==="text"){let r=_(e.text);return r?{kind:"text",id:`text-${t}`,text:r,open:!1}:void 0}if(n.startsWith("data-"))return ar(n,e.data,_(e.id)??`data-${t}`);if(n==="dynamic-tool"||n.startsWith("tool-"))return da(n,e)}function ar(e,t,n){let r=W(t);switch(e){case"data-elicitation-request":{let i=Tt(t);return i&&{kind:"question",id:i.elicitationId,question:i}}case"data-warning":{let i=_(r?.message),s=r?.ended;return s==="failed"||s==="stopped"?{kind:"mark",id:"mark",how:s,text:i??"",code:_(r?.code)}:i?{kind:"notice",id:n,text:i}:void 0}case"data-tool-auth-required":{let i=_(r?.message);return i?{kind:"notice",id:n,text:i,link:_(r?.authLink)}:void 0}}}var ca={"input-streaming":"writing","input-available":"running","approval-requested":"asking","approval-responded":"running","output-available":"done","output-error":"failed","output-denied":"denied"};function da(e,t){let n=_(t.toolCallId);if(!n)return;let r=e==="dynamic-tool"?_(t.toolName):e.slice(5),i={kind:"tool",id:n,name:r??"",title:_(t.title),service:_(t.service),serviceTitle:_(t.serviceTitle),state:ca[_(t.state)??""]??"running"};t.input!==void 0&&(i.input=_t(t.input)),t.output!==void 0&&(i.output=_t(t.output));let s=_(t.errorText);return s!==void 0&&(i.error=s),i}function _t(e){return typeof e=="string"?e:JSON.stringify(e)??""}var ce=class extends Error{constructor(n,r,i=[]){super(r??`status ${n}`);this.status=n;this.said=r;this.fields=i}status;said;fields;get passing(){return this.status>=500||this.status===408||this.status===425||this.status===429}},ln=class{constructor(t,n,r=()=>{}){this.access=t;this.clock=n;this.heard=r}access;clock;heard;async send(t,n){return Hi(await this.#e("/run/api/chat",{method:"POST",body:JSON.stringify(t),signal:n}))}async stream(t,n,r){let i=r===void 0?"":`?message=${encodeURIComponent(r)}`,s=await this.#e(`/run/api/chat/${encodeURIComponent(t)}/stream${i}`,{signal:n});return s.status===204?void 0:Hi(s)}async halt(t){await this.#e(`/run/api/chat/${encodeURIComponent(t)}/stream`,{method:"DELETE",keepalive:!0})}async history(t,n){try{let r=await this.#e(`/run/api/chat/${encodeURIComponent(t)}`,{signal:n});return Ni(Ee(await r.text()))}catch(r){if(r instanceof ce&&r.status===404)return{messages:[],active:!1,activeMessages:[]};throw r}}async#e(t,n){let r=await Ui(this.access().base+t,this.access(),n);this.clock.note(r);let i=r.headers.get("x-parley-account");if(i&&this.heard(i,n.method??"GET"),!r.ok)throw await Vi(r);return r}};function Hi(e){if(e.body&&e.headers.get("content-type")?.startsWith("text/event-stream"))return e;throw e.body?.cancel(),new ce(e.status,void 0)}async function ji(e,t,n,r){let i=JSON.stringify({conversationId:n,...r}),s=await Ui(e,t,{method:"POST",body:i});if(!s.ok)throw await Vi(s)}async function Ui(e,t,n){let r=new Headers({"x-supports-elicitation":"true"});n.body!==void 0&&r.set("content-type","application/json");let i=t.token||await t.getToken?.();return i&&r.set("authorization",`Bearer ${i}`),fetch(e,{...n,headers:r,cache:"no-store",credentials:i?"same-origin":"include"})}async function Vi(e){let t=W(Ee(await e.text().catch(()=>""))),n=t?.error,r=[];for(let i of he(t?.fields)){let s=_(W(i)?.message),o=(_(W(i)?.field)??"").replace(/\[\d+\]$/,"");s&&r.push({field:o,message:s})}return new ce(e.status,_(n)??_(W(n)?.message),r)}var Wi=be`
  :host {
    display: flex;
    flex-direction: column;
    block-size: 100%;
    min-block-size: 16rem;
    background: var(--_background);
    container-type: inline-size;
  }
  .head {
    display: flex;
    align-items: center;
    gap: 0.75rem;
    padding: 0.6rem 0.75rem 0.6rem 1.25rem;
    border-block-end: 1px solid var(--_hair);
  }
  .head h2,
  .head .heading {
    flex: 1;
    min-inline-size: 0;
    font-size: 1.05em;
    font-weight: 650;
  }
  .log {
    position: relative;
    flex: 1;
    min-block-size: 0;
    overflow-y: auto;
    overscroll-behavior: contain;
    scrollbar-gutter: stable both-edges;
  }
  .log:focus-visible {
    outline-offset: -2px;
  }
  .column {
    display: grid;
    gap: 1.1rem;
    max-inline-size: 46rem;
    margin-inline: auto;
    padding: 1.25rem;
  }
  .column:has(.empty) {
    align-content: center;
    min-block-size: 100%;
  }
  .empty {
    color: var(--_muted);
    text-align: center;
    text-wrap: balance;
  }
  .suggestions {
    display: flex;
    flex-wrap: wrap;
    justify-content: center;
    gap: 0.5rem;
    margin-block-start: 1rem;
  }
  .suggestions button {
    max-inline-size: 100%;
    font-weight: 450;
  }
  .message {
    display: grid;
    gap: 0.75rem;
    min-inline-size: 0;
  }
  .message > * {
    min-inline-size: 0;
  }
  .user {
    justify-items: end;
    gap: 0.2rem;
  }
  .bubble {
    max-inline-size: 85%;
    padding: 0.55rem 0.9rem;
    border-radius: var(--_radius);
    border-end-end-radius: 0.25rem;
    background: var(--_bubble);
    white-space: pre-wrap;
  }
  .user.sending .bubble {
    opacity: 0.75;
  }
  .unsent {
    color: var(--_danger);
    font-size: 0.8125rem;
    font-weight: 600;
  }
  .text {
    display: grid;
    gap: 0.65rem;
    min-inline-size: 0;
  }
  .text > * {
    min-inline-size: 0;
  }
  .text .heading {
    font-size: 1.08em;
    font-weight: 650;
  }
  .text ul,
  .text ol {
    padding-inline-start: 1.5rem;
  }
  .text li + li,
  .text li > :is(ul, ol) {
    margin-block-start: 0.25rem;
  }
  .text blockquote {
    padding-inline-start: 0.8rem;
    border-inline-start: 3px solid var(--_hair);
    color: var(--_muted);
  }
  .text blockquote > * + *,
  .text li > * + p {
    margin-block-start: 0.5rem;
  }
  .table {
    overflow-x: auto;
  }
  .table table {
    border-collapse: collapse;
  }
  .table :is(th, td) {
    padding: 0.3rem 0.6rem;
    border: 1px solid var(--_hair);
    text-align: start;
    vertical-align: top;
  }
  .table th {
    background: var(--_sunken);
    font-weight: 600;
  }
  .table .left {
    text-align: left;
  }
  .table .center {
    text-align: center;
  }
  .table .right {
    text-align: right;
  }
  .text hr {
    inline-size: 100%;
    border: 0;
    border-block-start: 1px solid var(--_hair);
  }
  .text :not(pre) > code {
    padding: 0.1em 0.3em;
    border-radius: 0.3em;
    background: var(--_sunken);
  }
  pre {
    padding: 0.7rem 0.9rem;
    border-radius: var(--_radius-small);
    background: var(--_sunken);
    overflow: auto;
    direction: ltr;
    text-align: left;
  }
  .tool {
    border: 1px solid var(--_hair);
    border-radius: var(--_radius-small);
    font-size: 0.9rem;
  }
  .tool summary {
    display: flex;
    align-items: center;
    gap: 0.55rem;
    min-block-size: 2.5rem;
    padding: 0.3rem 0.75rem;
    border-radius: inherit;
    color: var(--_muted);
    list-style: none;
    cursor: pointer;
  }
  .tool summary::-webkit-details-marker {
    display: none;
  }
  .tool summary:hover {
    background: var(--_sunken);
  }
  .name {
    flex: 1;
    min-inline-size: 0;
    color: var(--_text);
    font-weight: 500;
  }
  .state {
    display: inline-flex;
    align-items: center;
    gap: 0.35em;
    font-size: 0.8125rem;
    white-space: nowrap;
  }
  .state svg {
    inline-size: 1.1em;
    block-size: 1.1em;
  }
  .done .state {
    color: var(--_success);
  }
  .failed .state,
  .denied .state {
    color: var(--_danger);
  }
  .asking .state {
    color: var(--_warning);
  }
  .chevron svg {
    inline-size: 1em;
    block-size: 1em;
    transition: rotate 0.15s;
  }
  .tool[open] > summary .chevron svg {
    rotate: 90deg;
  }
  .call {
    display: grid;
    gap: 0.3rem;
    padding: 0.2rem 0.75rem 0.75rem;
  }
  .call > * {
    min-inline-size: 0;
  }
  .call pre {
    max-block-size: 16rem;
    margin-block-end: 0.4rem;
    white-space: pre-wrap;
  }
  .caption {
    color: var(--_muted);
    font-size: 0.8125rem;
  }
  .spinner {
    inline-size: 0.85em;
    block-size: 0.85em;
    border: 2px solid currentColor;
    border-inline-end-color: transparent;
    border-radius: 50%;
    animation: turn 0.9s linear infinite;
  }
  @keyframes turn {
    to {
      rotate: 1turn;
    }
  }
  .notice,
  .banner {
    display: flex;
    align-items: flex-start;
    gap: 0.55rem;
    font-size: 0.9rem;
  }
  .notice {
    color: var(--_warning);
  }
  .notice svg {
    margin-block-start: 0.1em;
  }
  .thinking,
  .quietly {
    color: var(--_muted);
    font-size: 0.9rem;
  }
  .thinking {
    display: flex;
    align-items: center;
    gap: 0.55rem;
  }
  .dots {
    display: inline-flex;
    gap: 0.25rem;
  }
  .dots i {
    inline-size: 0.4rem;
    block-size: 0.4rem;
    border-radius: 50%;
    background: currentColor;
    animation: pulse 1.2s infinite ease-in-out;
  }
  .dots i:nth-child(2) {
    animation-delay: 0.15s;
  }
  .dots i:nth-child(3) {
    animation-delay: 0.3s;
  }
  @keyframes pulse {
    0%,
    60%,
    100% {
      opacity: 0.35;
    }
    30% {
      opacity: 1;
    }
  }
  .foot {
    position: relative;
    inline-size: 100%;
    max-inline-size: 46rem;
    margin-inline: auto;
    padding: 0.25rem 1.25rem 1rem;
    padding-block-end: max(1rem, env(safe-area-inset-bottom));
  }
  .banner {
    align-items: center;
    flex-wrap: wrap;
    margin-block-end: 0.6rem;
    padding: 0.5rem 0.6rem 0.5rem 0.8rem;
    border-radius: var(--_radius-small);
    background: var(--_sunken);
    color: var(--_muted);
  }
  .banner span {
    flex: 1 1 12rem;
    min-inline-size: 0;
  }
  .banner button {
    min-block-size: 2.1rem;
    padding: 0.2rem 0.75rem;
  }
  .banner.failure {
    background: color-mix(in srgb, var(--_danger) 9%, var(--_background));
    color: var(--_danger);
  }
  .jump {
    position: absolute;
    inset-block-end: calc(100% + 0.25rem);
    inset-inline: 0;
    inline-size: fit-content;
    min-block-size: 2.25rem;
    margin-inline: auto;
    padding: 0.25rem 0.9rem;
    border-radius: 99px;
    box-shadow: 0 2px 10px rgb(0 0 0 / 18%);
    font-size: 0.875rem;
    z-index: 1;
  }
  .jump.asks {
    border-color: var(--_accent);
    background: var(--_accent);
    color: var(--_accent-text);
  }
  .composer {
    display: flex;
    align-items: flex-end;
    gap: 0.4rem;
    padding: 0.35rem;
    border: 1px solid var(--_line);
    border-radius: var(--_radius);
    background: var(--_surface);
  }
  .composer:focus-within {
    border-color: var(--_accent);
    outline: 1px solid var(--_accent);
  }
  .composer textarea {
    flex: 1;
    min-inline-size: 0;
    min-block-size: 2.5rem;
    max-block-size: 12rem;
    padding: 0.5rem 0.65rem;
    border: 0;
    background: none;
    outline: none;
    resize: none;
    field-sizing: content;
  }
  .composer textarea::placeholder {
    color: var(--_muted);
    opacity: 1;
  }
  .round {
    flex: none;
    inline-size: 2.5rem;
    min-block-size: 2.5rem;
    padding: 0;
    border-radius: min(var(--_radius), 0.65rem);
  }
  .round[aria-disabled="true"] {
    border-color: transparent;
    background: var(--_sunken);
    color: var(--_muted);
    opacity: 1;
  }
  @container (max-width: 30rem) {
    .column {
      padding: 0.9rem;
    }
    .foot {
      padding-inline: 0.75rem;
    }
    .bubble {
      max-inline-size: 92%;
    }
  }
  @media (forced-colors: active) {
    .bubble,
    pre,
    .banner {
      border: 1px solid CanvasText;
    }
  }
`;var lt=class{#e=0;now(){return Date.now()+this.#e}note(t){let n=Date.parse(t.headers.get("date")??"");if(Number.isNaN(n))return;let r=n+500-Date.now();this.#e=Math.abs(r)>2e3?r:0}},At=1e3,cn=60*At,un=60*cn,Qi=24*un;function Yi(e){let t=Math.max(0,e);if(t>=2*Qi)return`${Math.floor(t/Qi)} d`;if(t>=un)return`${Math.floor(t/un)} h ${Math.floor(t%un/cn)} min`;let n=Math.ceil(t/At);return`${Math.floor(n/60)}:${String(n%60).padStart(2,"0")}`}var ha=[5*cn,cn,30*At,10*At];function Ji(e,t){let n=ha.filter(r=>e>r&&t<=r);return n.length>0&&t>0?Math.min(...n)/At:void 0}var lr=class{#e="";#t=[];#n=!1;push(t){!this.#n&&t!==""&&(this.#n=!0,t=t.replace(/^\ufeff/,""));let n=this.#e+t,r=[],i=/\r\n|\n|\r(?!$)/g,s=0;for(let o=i.exec(n);o;o=i.exec(n))this.#r(n.slice(s,o.index),r),s=i.lastIndex;return this.#e=n.slice(s),r}#r(t,n){t===""?(this.#t.length>0&&n.push(this.#t.join(`
`)),this.#t=[]):(t==="data"||t.startsWith("data:"))&&this.#t.push(t.slice(5).replace(/^ /,""))}};async function*Ki(e){let t=new lr,n=new TextDecoder,r=e.getReader();try{for(;;){let{done:i,value:s}=await r.read();if(i)return;yield t.push(n.decode(s,{stream:!0}))}}finally{r.cancel().catch(()=>{})}}var dn=class{constructor(t=()=>!1){this.elsewhere=t}elsewhere;message;ending;take(t){if(t.trim()==="[DONE]"){this.ending??={};return}let n=W(Ee(t)),r=_(n?.type);!n||!r||(r.startsWith("text-")?this.#r(r,n):r.startsWith("tool-")?this.#s(r,n):r.startsWith("data-")?this.#h(r,n):this.#e(r,n))}#e(t,n){switch(t){case"start":this.message||(this.message={id:_(n.messageId)??Gi(),role:"assistant",parts:[]});break;case"finish":this.ending??={},this.#i();break;case"abort":this.ending={stopped:!0},this.#i(),this.#t("stopped","");break;case"error":this.ending={error:_(n.errorText)??""},this.#i(),this.#t("failed",_(n.errorText)??"")}}#t(t,n){this.#n.some(r=>r.kind==="mark")||this.#n.push({kind:"mark",id:"mark",how:t,text:n})}get#n(){return this.message??={id:Gi(),role:"assistant",parts:[]},this.message.parts}#r(t,n){let r=_(n.id)??"",i=this.#n.findLast(s=>s.kind==="text"&&s.id===r&&s.open);if(i?.kind!=="text"){if(t!=="text-start"&&t!=="text-delta")return;i={kind:"text",id:r,text:"",open:!0},this.#n.push(i)}t==="text-delta"&&(i.text+=_(n.delta)??""),t==="text-end"&&(i.open=!1)}#i(){for(let t of this.message?.parts??[])t.kind==="text"&&(t.open=!1)}#s(t,n){let r=_(n.toolCallId);if(!r)return;let i=this.#n.find(s=>s.kind==="tool"&&s.id===r);if(!i){let s=_(n.toolName);if(s===void 0||!t.startsWith("tool-input-"))return;i={kind:"tool",id:r,name:s,state:"writing"},this.#n.push(i)}i.title=_(n.title)??i.title,this.#o(i,t,n)}#o(t,n,r){switch(n){case"tool-input-delta":t.input=(t.input??"")+(_(r.inputTextDelta)??"");break;case"tool-input-available":t.state="running",t.input=_t(r.input);break;case"tool-approval-request":t.state="asking";break;case"tool-output-available":t.state=r.preliminary===!0?"running":"done",t.output=_t(r.output);break;case"tool-input-error":case"tool-output-error":t.state="failed",t.error=_(r.errorText)??"";break;case"tool-output-denied":t.state="denied"}}#h(t,n){if(t==="data-tool-title")return this.#u(W(n.data)??{});if(t==="data-elicitation-request"){let s=Tt(n.data);s&&this.#d(s);return}let r=ar(t,n.data,_(n.id)??`data-${this.#n.length}`);if(!r)return;let i=this.#n.findIndex(s=>s.kind===r.kind&&s.id===r.id);i>=0?this.#n[i]=r:this.#n.push(r)}#u(t){let n=this.#n.find(r=>r.kind==="tool"&&r.id===t.toolCallId);n&&(n.title=_(t.title)??n.title,n.service=_(t.service),n.serviceTitle=_(t.serviceTitle))}#d(t){let n=t.elicitationId,r=this.#n.find(i=>i.kind==="question"&&i.id===n);r?.kind==="question"?r.question=t:this.elsewhere(t)||this.#n.push({kind:"question",id:n,question:t})}};function Gi(){return`local-${Math.random().toString(36).slice(2)}`}function Zi(e,t){return t.parts.every((n,r)=>{let i=e.parts[r];return i!==void 0&&(n.kind!=="text"||i.kind!=="text"||i.text.length>=n.text.length)})}var pa=1500,hn=class{constructor(t){this.changed=t}changed;messages=[];#e=new Map;#t=new Set;get questions(){return this.messages.flatMap(t=>t.parts).flatMap(t=>t.kind==="question"&&!t.question.outcome?[t.question]:[])}writer(){let t={turn:new dn(n=>this.#i(t,n))};return this.#t.add(t),t}show(t){let n=t.turn.message;if(!n)return;this.#r(n);let r=this.messages.find(i=>i.id===n.id);r!==n&&(!r||t.turn.ending||Zi(n,r)?this.#n(t):t.waiting??=setTimeout(()=>this.#n(t),pa))}finish(t){this.#t.delete(t),t.waiting!==void 0&&t.turn.ending&&this.#n(t),clearTimeout(t.waiting),t.waiting=void 0}settle(t,n){this.#e.has(t)||this.#e.set(t,n);for(let r of this.messages)this.#r(r)}merge(t){let n=new Set(t.map(i=>i.id)),r=[...this.#t].flatMap(({turn:i})=>i.message?[i.message]:[]);this.messages=[...t.map(i=>r.find(s=>s.id===i.id)??i),...this.messages.filter(i=>!n.has(i.id)&&(i.status!==void 0||r.includes(i)))];for(let i of this.messages)this.#r(i)}#n(t){clearTimeout(t.waiting),t.waiting=void 0;let n=t.turn.message;if(!n)return;let r=this.messages.findIndex(i=>i.id===n.id);r>=0?this.messages[r]=n:this.messages.push(n),this.changed()}#r(t){for(let n of t.parts){if(n.kind!=="question")continue;let{outcome:r}=n.question;r?this.#e.set(n.id,r):this.#e.has(n.id)&&(n.question={...n.question,outcome:this.#e.get(n.id)})}}#i(t,n){for(let r of this.messages){if(r.id===t.turn.message?.id)continue;let i=r.parts.find(s=>s.kind==="question"&&s.id===n.elicitationId);if(i?.kind==="question")return i.question=n,this.#r(r),!0}return!1}};var ma=6e4,Xi=15e3,fa=5e3,pn=class{constructor(t,n,r,i){this.id=t;this.api=n;this.agent=r;this.changed=i;this.#e=new hn(i)}id;api;agent;changed;failure;loading=!1;lost=!1;stopped=!1;#e;#t=new Set;#n;#r;#i=!1;#s=!1;#o=new Map;get messages(){return this.#e.messages}get questions(){return this.#e.questions}get busy(){return this.#t.size>0||this.lost}open(){this.loading=this.#i=!0,this.#p(!0,0)}send(t){let n={id:Et("msg"),role:"user",parts:[{kind:"text",id:"text",text:t,open:!1}]};this.#e.messages.push(n),this.#u(n,t)}stop(){this.stopped=!0,this.busy&&this.#h(),this.#s=this.busy,this.close(),this.changed()}async#h(){try{await this.api.halt(this.id);for(let t of[0,500,2e3]){if(t>0&&await new Promise(i=>setTimeout(i,t)),!this.stopped)return;let{messages:n,active:r}=await this.api.history(this.id,new AbortController().signal);if(!this.stopped||(this.#e.merge(n),this.changed(),!r&&this.questions.length===0))return}}catch{}}resume(){this.stopped=!1,this.failure=void 0,this.#r?this.#r():!this.#n&&this.#t.size===0&&this.#p(!1,0),this.changed()}async retry(){let t=this.messages.findLast(r=>r.role==="user")?.parts.flatMap(r=>r.kind==="text"?[r.text]:[]).join(`
`);if(this.busy||this.#n||!t)return;let{signal:n}=this.#n=new AbortController;this.failure=void 0,this.stopped=!1,this.loading=!0,this.changed();try{let r=await this.api.history(this.id,n);if(n.aborted)return;this.#c(),this.#m(r),r.active?this.resume():this.send(t)}catch(r){if(n.aborted)return;this.#c();let i=r instanceof ce?r:void 0;this.failure={kind:i?"refused":"unreachable",status:i?.status,said:i?.said,again:()=>{this.retry()}}}this.changed()}identified(t){!(this.failure?.opening===!0&&this.failure.status===401)&&!(t&&(this.#i||this.messages.length>0))||(this.close(),this.#k())}settle(t,n){this.#e.settle(t,n),this.changed()}close(){this.#c();for(let t of this.#o.values())t.abort();this.#o.clear();for(let t of[...this.#t])this.#f(t)}async#u(t,n){this.failure=void 0,this.stopped=!1,t.status="sending",this.#r&&(this.#s=!0,this.#c());let r=this.#w();this.changed();try{let i=[{type:"text",text:n}],s={id:this.id,agent:this.agent||void 0,messages:[{id:t.id,role:"user",parts:i}]},o=await this.api.send(s,r.abort.signal);t.status=void 0,this.changed(),this.#b(r,await this.#y(r,o))}catch(i){t.status=this.#t.has(r)?"failed":void 0,t.status&&(this.failure=this.#d(t,n,i)),this.#f(r)}this.changed()}#d(t,n,r){let i=()=>{this.#u(t,n)};if(r instanceof ce)return{kind:"refused",status:r.status,said:r.said,again:i};let s=async()=>{this.failure=void 0,t.status="sending",this.changed();try{let o=await this.api.history(this.id,new AbortController().signal);if(!o.messages.some(a=>a.id===t.id))return i();this.#m(o),o.active&&this.resume()}catch(o){t.status="failed",this.failure=this.#d(t,n,o)}this.changed()};return{kind:"unreachable",again:()=>{s()}}}#b(t,n){let r=!this.#t.has(t);if(this.#f(t),r)return;let i=t.turn.message;if(!n&&i&&(this.#t.size>0||this.#n))return void this.#l(i.id,1);n||(this.#s=!0),!(!this.#s||this.#t.size>0||this.#n)&&(this.lost=!n,this.#p(n,n?0:1))}async#p(t,n){let r=this.#n=new AbortController;for(this.#s=!1;!r.signal.aborted;){if(n>0&&await this.#v(Math.min(1e3*2**(n-1),Xi),r.signal),r.signal.aborted)return;let i=Date.now();try{if(t&&!await this.#a(r.signal)||(t=!1,await this.#g(r.signal)))break}catch(s){if(!r.signal.aborted&&s instanceof ce&&!s.passing){this.failure={kind:"refused",status:s.status,said:s.said,opening:!0,again:()=>this.#k()};break}}if(r.signal.aborted)return;n=Date.now()-i>fa?1:n+1,this.lost=!0,this.changed()}r.signal.aborted||(this.#c(),this.changed())}#k(){this.failure=void 0,this.open(),this.changed()}#c(){this.#n?.abort(),this.#n=void 0,this.loading=this.lost=!1}async#a(t){let n=await this.api.history(this.id,t);return t.aborted?!1:(this.loading=this.lost=!1,this.#m(n),this.changed(),n.active)}#m(t){this.#e.merge(t.messages);for(let n of t.activeMessages.slice(0,-1))this.#l(n,0)}async#l(t,n){if(this.#o.has(t)||[...this.#t].some(i=>i.turn.message?.id===t))return;let{signal:r}=this.#o.set(t,new AbortController).get(t);for(;!r.aborted;n++){if(n>0&&await ga(Math.min(1e3*2**(n-1),Xi),r),r.aborted)return;try{if(await this.#g(r,t))break}catch(i){if(i instanceof ce&&!i.passing)break}}r.aborted||this.#o.delete(t),this.changed()}async#g(t,n){let r=this.#w();t.addEventListener("abort",()=>this.#f(r),{once:!0,signal:r.abort.signal});try{let i=await this.api.stream(this.id,r.abort.signal,n);return n===void 0&&(this.lost=this.loading=!1),this.changed(),i?await this.#y(r,i):(await this.#a(t),!0)}finally{this.#f(r)}}async#y(t,n){let r,i=()=>{clearTimeout(r),r=setTimeout(()=>t.abort.abort(),ma)};i();try{for await(let o of Ki(n.body)){if(i(),!this.#t.has(t))return!1;for(let a of o)t.turn.take(a);if(this.#e.show(t),o.length>0&&this.changed(),t.turn.ending)break}}catch{}finally{clearTimeout(r)}let s=t.turn.ending;return s?.error!==void 0&&(this.failure={kind:"failed",said:s.error,again:()=>{this.retry()}}),s!==void 0}#w(){let t=Object.assign(this.#e.writer(),{abort:new AbortController});return this.#t.add(t),t}#f(t){this.#t.delete(t)&&(t.abort.abort(),this.#e.finish(t))}#v(t,n){return new Promise(r=>{let i=()=>{clearTimeout(s),n.removeEventListener("abort",i),this.#r=void 0,r()},s=setTimeout(i,t);this.#r=i,n.addEventListener("abort",i)})}};function ga(e,t){return new Promise(n=>{let r=setTimeout(i,e);t.addEventListener("abort",i);function i(){clearTimeout(r),t.removeEventListener("abort",i),n()}})}function Et(e){let t=crypto.getRandomValues(new Uint8Array(16));return`${e}_${[...t].map(n=>n.toString(16).padStart(2,"0")).join("")}`}async function es(e){try{return await navigator.clipboard.writeText(e),!0}catch{return ba(e)}}function ba(e){let t=document.createElement("textarea");t.value=e,t.setAttribute("aria-hidden","true"),t.tabIndex=-1,Object.assign(t.style,{position:"fixed",insetBlockStart:"0",opacity:"0"});let n=document.activeElement;document.body.append(t),t.select();try{return document.execCommand("copy")}catch{return!1}finally{t.remove(),n instanceof HTMLElement&&n.focus({preventScroll:!0})}}var ka=2e3;function ts(e){e.toggleAttribute("data-done",!0),setTimeout(()=>e.removeAttribute("data-done"),ka)}var ie=e=>re`<svg viewBox="0 0 24 24" aria-hidden="true">${e}</svg>`,O={connect:ie(re`<path d="M10 14a4.5 4.5 0 0 0 6.4 0l3.2-3.2a4.5 4.5 0 0 0-6.4-6.4L11.7 6M14 10a4.5 4.5 0 0 0-6.4 0l-3.2 3.2a4.5 4.5 0 0 0 6.4 6.4L12.3 18"/>`),approval:ie(re`<path d="M12 3 5 5.6v5.6c0 4.3 2.9 8.1 7 9.8 4.1-1.7 7-5.5 7-9.8V5.6L12 3Z"/><path d="M12 8.5v4M12 15.8v.1"/>`),form:ie(re`<path d="M20 11.5a7.5 7.5 0 0 1-7.5 7.5H5l1.7-2.6A7.5 7.5 0 1 1 20 11.5Z"/><path d="M10.4 9.6a2.2 2.2 0 1 1 3.1 2c-.6.3-1 .7-1 1.4M12.5 15.4v.1"/>`),clock:ie(re`<circle cx="12" cy="12" r="8.5"/><path d="M12 7.5V12l3 2"/>`),done:ie(re`<path d="m5 12.5 4.5 4.5L19 7.5"/>`),no:ie(re`<path d="M7 7l10 10M17 7 7 17"/>`),tool:ie(re`<path d="M14.5 6.5a4 4 0 0 1 5-1.2l-2.7 2.7 1.4 2 2.6-2.2a4 4 0 0 1-5.6 4.6L8 19.6A2.1 2.1 0 0 1 5 16.6l7-7.3a4 4 0 0 1 2.5-2.8Z"/>`),send:ie(re`<path d="M12 19V5.5M6 11l6-6 6 6"/>`),stop:ie(re`<rect x="7.5" y="7.5" width="9" height="9" rx="1.5" fill="currentColor"/>`),plus:ie(re`<path d="M12 5v14M5 12h14"/>`),down:ie(re`<path d="M12 5v13.5M6 13l6 6 6-6"/>`),warning:ie(re`<path d="M12 4 2.8 19.5h18.4L12 4Z"/><path d="M12 10v4.2M12 16.8v.1"/>`),copy:ie(re`<rect x="9" y="9" width="11" height="11" rx="2"/><path d="M5.5 15H5a1.5 1.5 0 0 1-1.5-1.5V5A1.5 1.5 0 0 1 5 3.5h8.5A1.5 1.5 0 0 1 15 5v.5"/>`),again:ie(re`<path d="M19.5 12a7.5 7.5 0 1 1-2.2-5.3M19.5 3.5v4h-4"/>`),chevron:ie(re`<path d="m9 6 6 6-6 6"/>`)};function ur(e,t,n){let r=mn(e);if(!r||r.protocol!=="https:"&&r.protocol!=="http:"||r.username!==""||r.password!=="")return;let{hostname:i,host:s,href:o,origin:a}=r,l=n&&(i===n||i.endsWith(`.${n}`)),c=l?n:s,u=o.indexOf("//")+2+(l?i.length-n.length:0);return{href:o,before:o.slice(0,u),trust:c,after:o.slice(u+c.length),foreign:a!==mn(t)?.origin,insecure:r.protocol==="http:"&&!xa(i)}}function mn(e){try{return new URL(e??"")}catch{return}}function xa(e){return e==="localhost"||e.endsWith(".localhost")||e==="[::1]"||/^127(\.\d+){3}$/.test(e)}function cr(e){let t=mn(e);return t&&(t.protocol==="https:"||t.protocol==="http:")?t.href:void 0}function dr(e){let t=mn(e);return t?.protocol==="mailto:"?t.href:cr(e)}var ya={},fn=st(class extends Pe{constructor(){super(...arguments),this.ot=ya}render(e,t){return t()}update(e,[t,n]){if(Array.isArray(t)){if(Array.isArray(this.ot)&&this.ot.length===t.length&&t.every((r,i)=>r===this.ot[i]))return ne}else if(this.ot===t)return ne;return this.ot=Array.isArray(t)?Array.from(t):t,this.render(t,n)}});var hr=/( {0,3})(?:(`{3,})(?!`)([^`\n]*)|(~{3,})(?!~)([^\n]*))\n/y;function ns(e,t){hr.lastIndex=t;let n=hr.exec(e);return n?new pr(hr.lastIndex,n[2]??n[4],n[1].length,n[3]??n[5]):void 0}var pr=class{constructor(t,n,r,i){this.at=t;this.indent=r;this.#n=/^\S*/.exec(i.trim())[0],this.#r=new RegExp(`^ {0,3}${n[0]}{${n.length},}[ \\t\\r]*$`),this.#i=new RegExp(`^ {0,3}${n[0]}+[ \\t\\r]*$`)}at;indent;#e="";#t="";#n;#r;#i;take(t){for(;;){let n=t.indexOf(`
`,this.at),r=t.slice(this.at,n<0?void 0:n);if(this.#r.test(r))return this.#t="",n<0?t.length:n+1;if(n<0){this.#t=this.#i.test(r)?"":this.#s(r);return}this.#e+=this.#s(r)+`
`,this.at=n+1}}block(){return{kind:"code",text:this.#t===""?this.#e.slice(0,-1):this.#e+this.#t,language:this.#n}}#s(t){let n=0;for(;n<this.indent&&t[n]===" ";)n++;return t.slice(n)}};var wa={};function mr(e,t){let n=t||wa,r=typeof n.includeImageAlt=="boolean"?n.includeImageAlt:!0,i=typeof n.includeHtml=="boolean"?n.includeHtml:!0;return is(e,r,i)}function is(e,t,n){if(va(e)){if("value"in e)return e.type==="html"&&!n?"":e.value;if(t&&"alt"in e&&e.alt)return e.alt;if("children"in e)return rs(e.children,t,n)}return Array.isArray(e)?rs(e,t,n):""}function rs(e,t,n){let r=[],i=-1;for(;++i<e.length;)r[i]=is(e[i],t,n);return r.join("")}function va(e){return!!(e&&typeof e=="object")}var ss={amp:"&",apos:"'",bull:"•",cent:"¢",copy:"©",deg:"°",divide:"÷",euro:"€",frac12:"½",ge:"≥",gt:">",hellip:"…",infin:"∞",laquo:"«",larr:"←",ldquo:"“",le:"≤",lsquo:"‘",lt:"<",mdash:"—",micro:"µ",middot:"·",minus:"−",nbsp:" ",ndash:"–",ne:"≠",para:"¶",plusmn:"±",pound:"£",quot:'"',raquo:"»",rarr:"→",rdquo:"”",reg:"®",rsquo:"’",sect:"§",times:"×",trade:"™",yen:"¥"};function ut(e){return Object.hasOwn(ss,e)?ss[e]:!1}function X(e,t,n,r){let i=e.length,s=0,o;if(t<0?t=-t>i?0:i+t:t=t>i?i:t,n=n>0?n:0,r.length<1e4)o=Array.from(r),o.unshift(t,n),e.splice(...o);else for(n&&e.splice(t,n);s<r.length;)o=r.slice(s,s+1e4),o.unshift(t,0),e.splice(...o),s+=1e4,t+=1e4}function se(e,t){return e.length>0?(X(e,e.length,0,t),e):t}var os={}.hasOwnProperty;function as(e){let t={},n=-1;for(;++n<e.length;)$a(t,e[n]);return t}function $a(e,t){let n;for(n in t){let i=(os.call(e,n)?e[n]:void 0)||(e[n]={}),s=t[n],o;if(s)for(o in s){os.call(i,o)||(i[o]=[]);let a=s[o];Sa(i[o],Array.isArray(a)?a:a?[a]:[])}}}function Sa(e,t){let n=-1,r=[];for(;++n<t.length;)(t[n].add==="after"?e:r).push(t[n]);X(e,0,0,r)}function gn(e,t){let n=Number.parseInt(e,t);return n<9||n===11||n>13&&n<32||n>126&&n<160||n>55295&&n<57344||n>64975&&n<65008||(n&65535)===65535||(n&65535)===65534||n>1114111?"�":String.fromCodePoint(n)}function Ce(e){return e.replace(/[\t\n\r ]+/g," ").replace(/^ | $/g,"").toLowerCase().toUpperCase()}var G=qe(/[A-Za-z]/),Z=qe(/[\dA-Za-z]/),ls=qe(/[#-'*+\--9=?A-Z^-~]/);function Ye(e){return e!==null&&(e<32||e===127)}var Ct=qe(/\d/),us=qe(/[\dA-Fa-f]/),cs=qe(/[!-/:-@[-`{-~]/);function S(e){return e!==null&&e<-2}function F(e){return e!==null&&(e<0||e===32)}function E(e){return e===-2||e===-1||e===32}var It=qe(/\p{P}|\p{S}/u),Oe=qe(/\s/);function qe(e){return t;function t(n){return n!==null&&n>-1&&e.test(String.fromCharCode(n))}}function C(e,t,n,r){let i=r?r-1:1/0,s=0;return o;function o(l){return E(l)?(e.enter(n),a(l)):t(l)}function a(l){return E(l)&&s++<i?(e.consume(l),a):(e.exit(n),t(l))}}function fr(e,t,n,r,i,s){let o=0;return a;function a(u){return s>0&&E(u)?(e.enter(r),l(u)):c(u)}function l(u){return E(u)&&o<s?(e.consume(u),o++,l):(e.exit(r),c(u))}function c(u){return o>=i?t(u):n(u)}}var ds={tokenize:_a};function _a(e){let t=e.attempt(this.parser.constructs.contentInitial,r,i),n;return t;function r(a){if(a===null){e.consume(a);return}return e.enter("lineEnding"),e.consume(a),e.exit("lineEnding"),C(e,t,"linePrefix")}function i(a){return e.enter("paragraph"),s(a)}function s(a){let l=e.enter("chunkText",{contentType:"text",previous:n});return n&&(n.next=l),n=l,o(a)}function o(a){if(a===null){e.exit("chunkText"),e.exit("paragraph"),e.consume(a);return}return S(a)?(e.consume(a),e.exit("chunkText"),s):(e.consume(a),o)}}var Ie=class{constructor(){this.index=new Map,this.map=[]}add(t,n,r){hs(this,t,n,r,!1)}addBefore(t,n,r){hs(this,t,n,r,!0)}consume(t){if(this.map.sort(function(s,o){return s[0]-o[0]}),this.map.length===0)return;let n=this.map.length,r=[];for(;n>0;)n-=1,r.push(t.slice(this.map[n][0]+this.map[n][1]),this.map[n][2]),t.length=this.map[n][0];r.push(t.slice()),t.length=0;let i=r.pop();for(;i;){for(let s of i)t.push(s);i=r.pop()}this.map.length=0,this.index.clear()}};function hs(e,t,n,r,i){if(n===0&&r.length===0)return;let s=e.index.get(t);if(s){s[1]+=n,i?(r.push(...s[2]),s[2]=r):s[2].push(...r);return}let o=[t,n,r];e.map.push(o),e.index.set(t,o)}var ms={tokenize:Ta},ps={tokenize:Aa};function Ta(e){let t=this,n=[],r=0,i,s,o;return a;function a(T){if(r<n.length){let D=n[r];return t.containerState=D[1],e.attempt(D[0].continuation,l,c)(T)}return c(T)}function l(T){if(r++,t.containerState._closeFlow){t.containerState._closeFlow=void 0,i&&U();let D=t.events.length,N=D,x;for(;N--;)if(t.events[N][0]==="exit"&&t.events[N][1].type==="chunkFlow"){x=t.events[N][1].end;break}v(r);let q=D;for(;q<t.events.length;)t.events[q][1].end={...x},q++;let H=new Ie;return H.add(N+1,0,t.events.slice(D)),H.add(D,q-D,[]),H.consume(t.events),c(T)}return a(T)}function c(T){if(r===n.length){if(!i)return f(T);if(i.currentConstruct&&i.currentConstruct.concrete)return y(T);t.interrupt=!!(i.currentConstruct&&!i._gfmTableDynamicInterruptHack)}return t.containerState={},e.check(ps,u,d)(T)}function u(T){return i&&U(),v(r),f(T)}function d(T){return t.parser.lazy[t.now().line]=r!==n.length,o=t.now().offset,y(T)}function f(T){return t.containerState={},e.attempt(ps,h,y)(T)}function h(T){return r++,n.push([t.currentConstruct,t.containerState]),f(T)}function y(T){if(T===null){i&&U(),v(0),e.consume(T);return}return i=i||t.parser.flow(t.now()),e.enter("chunkFlow",{_tokenizer:i,contentType:"flow",previous:s}),I(T)}function I(T){if(T===null){R(e.exit("chunkFlow"),!0),v(0),e.consume(T);return}return S(T)?(e.consume(T),R(e.exit("chunkFlow")),r=0,t.interrupt=void 0,a):(e.consume(T),I)}function R(T,D){let N=t.sliceStream(T);if(D&&N.push(null),T.previous=s,s&&(s.next=T),s=T,i.defineSkip(T.start),i.write(N),t.parser.lazy[T.start.line]){let x=i.events.length;for(;x--;)if(i.events[x][1].start.offset<o&&(!i.events[x][1].end||i.events[x][1].end.offset>o))return;let q=t.events.length,H=q,Q,g;for(;H--;)if(t.events[H][0]==="exit"&&t.events[H][1].type==="chunkFlow"){if(Q){g=t.events[H][1].end;break}Q=!0}for(v(r),x=q;x<t.events.length;)t.events[x][1].end={...g},x++;let B=new Ie;B.add(H+1,0,t.events.slice(q)),B.add(q,x-q,[]),B.consume(t.events)}}function v(T){let D=n.length;for(;D-- >T;){let N=n[D];t.containerState=N[1],N[0].exit.call(t,e)}n.length=T}function U(){i.write([null]),s=void 0,i=void 0,t.containerState._closeFlow=void 0}}function Aa(e,t,n){return C(e,e.attempt(this.parser.constructs.document,t,n),"linePrefix",this.parser.constructs.disable.null.includes("codeIndented")?void 0:4)}function ct(e){if(e===null||F(e)||Oe(e))return 1;if(It(e))return 2}function Fe(e,t,n){let r=[],i=-1;for(;++i<e.length;){let s=e[i].resolveAll;s&&!r.includes(s)&&(t=s(t,n),r.push(s))}return t}var De={name:"attention",resolveAll:Ea,tokenize:Ca};function Ea(e,t){let n=-1,r;for(;++n<e.length;)if(e[n][0]==="enter"&&e[n][1].type==="attentionSequence"&&e[n][1]._close){let i=n;for(;i--;)if(e[i][0]==="exit"&&e[i][1].type==="attentionSequence"&&e[i][1]._open&&t.sliceSerialize(e[i][1]).charCodeAt(0)===t.sliceSerialize(e[n][1]).charCodeAt(0)){if((e[i][1]._close||e[n][1]._open)&&(e[n][1].end.offset-e[n][1].start.offset)%3&&!((e[i][1].end.offset-e[i][1].start.offset+e[n][1].end.offset-e[n][1].start.offset)%3))continue;let s=e[i][1].end.offset-e[i][1].start.offset>1&&e[n][1].end.offset-e[n][1].start.offset>1?2:1,o={...e[i][1].end},a={...e[n][1].start};fs(o,-s),fs(a,s);let l={type:s>1?"strongSequence":"emphasisSequence",start:o,end:{...e[i][1].end}},c={type:s>1?"strongSequence":"emphasisSequence",start:{...e[n][1].start},end:a},u={type:s>1?"strongText":"emphasisText",start:{...e[i][1].end},end:{...e[n][1].start}},d={type:s>1?"strong":"emphasis",start:{...l.start},end:{...c.end}};e[i][1].end={...l.start},e[n][1].start={...c.end},r=[],e[i][1].end.offset-e[i][1].start.offset&&(r=se(r,[["enter",e[i][1],t],["exit",e[i][1],t]])),r=se(r,[["enter",d,t],["enter",l,t],["exit",l,t],["enter",u,t]]),r=se(r,Fe(t.parser.constructs.insideSpan.null,e.slice(i+1,n),t)),r=se(r,[["exit",u,t],["enter",c,t],["exit",c,t],["exit",d,t]]);let f=0;e[n][1].end.offset-e[n][1].start.offset&&(f=2,r=se(r,[["enter",e[n][1],t],["exit",e[n][1],t]])),X(e,i-1,n-i+3,r),n=i+r.length-f-2;break}}for(n=-1;++n<e.length;)e[n][1].type==="attentionSequence"&&(e[n][1].type="data");return e}function Ca(e,t){let n=this.parser.constructs.attentionMarkers.null,r=this.previous,i=ct(r),s;return o;function o(l){return s=l,e.enter("attentionSequence"),a(l)}function a(l){if(l===s)return e.consume(l),a;let c=e.exit("attentionSequence"),u=ct(l),d=!u||u===2&&i||n.includes(l)&&l!==42&&l!==95,f=!i||i===2&&u||n.includes(r)&&r!==42&&r!==95;return c._open=!!(s===42?d:d&&(i||!f)),c._close=!!(s===42?f:f&&(u||!d)),t(l)}}function fs(e,t){e.column+=t,e.offset+=t,e._bufferIndex+=t}var zt={name:"autolink",tokenize:Ia};function Ia(e,t,n){let r=0;return i;function i(h){return e.enter("autolink"),e.enter("autolinkMarker"),e.consume(h),e.exit("autolinkMarker"),e.enter("autolinkProtocol"),s}function s(h){return G(h)?(e.consume(h),o):h===64?n(h):c(h)}function o(h){return h===43||h===45||h===46||Z(h)?(r=1,a(h)):c(h)}function a(h){return h===58?(e.consume(h),r=0,l):(h===43||h===45||h===46||Z(h))&&r++<32?(e.consume(h),a):(r=0,c(h))}function l(h){return h===62?(e.exit("autolinkProtocol"),e.enter("autolinkMarker"),e.consume(h),e.exit("autolinkMarker"),e.exit("autolink"),t):h===null||h===32||h===60||Ye(h)?n(h):(e.consume(h),l)}function c(h){return h===64?(e.consume(h),u):ls(h)?(e.consume(h),c):n(h)}function u(h){return Z(h)?d(h):n(h)}function d(h){return h===46?(e.consume(h),r=0,u):h===62?(e.exit("autolinkProtocol").type="autolinkEmail",e.enter("autolinkMarker"),e.consume(h),e.exit("autolinkMarker"),e.exit("autolink"),t):f(h)}function f(h){if((h===45||Z(h))&&r++<63){let y=h===45?f:d;return e.consume(h),y}return n(h)}}var Be={partial:!0,tokenize:za};function za(e,t,n){return r;function r(s){return E(s)?C(e,i,"linePrefix")(s):i(s)}function i(s){return s===null||S(s)?t(s):n(s)}}var dt={continuation:{tokenize:Ma},exit:Pa,name:"blockQuote",tokenize:La};function La(e,t,n){let r=this;return i;function i(o){if(o===62){let a=r.containerState;return a.open||(e.enter("blockQuote",{_container:!0}),a.open=!0),e.enter("blockQuotePrefix"),e.enter("blockQuoteMarker"),e.consume(o),e.exit("blockQuoteMarker"),s}return n(o)}function s(o){return E(o)?(e.enter("blockQuotePrefixWhitespace"),e.consume(o),e.exit("blockQuotePrefixWhitespace"),e.exit("blockQuotePrefix"),t):(e.exit("blockQuotePrefix"),t(o))}}function Ma(e,t,n){let r=this;return i;function i(o){return E(o)?C(e,s,"linePrefix",r.parser.constructs.disable.null.includes("codeIndented")?void 0:4)(o):s(o)}function s(o){return e.attempt(dt,t,n)(o)}}function Pa(e){e.exit("blockQuote")}var bn={name:"characterEscape",tokenize:Ra};function Ra(e,t,n){return r;function r(s){return e.enter("characterEscape"),e.enter("escapeMarker"),e.consume(s),e.exit("escapeMarker"),i}function i(s){return cs(s)?(e.enter("characterEscapeValue"),e.consume(s),e.exit("characterEscapeValue"),e.exit("characterEscape"),t):n(s)}}var kn={name:"characterReference",tokenize:Oa};function Oa(e,t,n){let r=this,i=0,s,o;return a;function a(d){return e.enter("characterReference"),e.enter("characterReferenceMarker"),e.consume(d),e.exit("characterReferenceMarker"),l}function l(d){return d===35?(e.enter("characterReferenceMarkerNumeric"),e.consume(d),e.exit("characterReferenceMarkerNumeric"),c):(e.enter("characterReferenceValue"),s=31,o=Z,u(d))}function c(d){return d===88||d===120?(e.enter("characterReferenceMarkerHexadecimal"),e.consume(d),e.exit("characterReferenceMarkerHexadecimal"),e.enter("characterReferenceValue"),s=6,o=us,u):(e.enter("characterReferenceValue"),s=7,o=Ct,u(d))}function u(d){if(d===59&&i){let f=e.exit("characterReferenceValue");return o===Z&&!ut(r.sliceSerialize(f))?n(d):(e.enter("characterReferenceMarker"),e.consume(d),e.exit("characterReferenceMarker"),e.exit("characterReference"),t)}return o(d)&&i++<s?(e.consume(d),u):n(d)}}var Lt={partial:!0,tokenize:qa};function qa(e,t,n){let r=this;return i;function i(o){return o===null?n(o):(e.enter("lineEnding"),e.consume(o),e.exit("lineEnding"),s)}function s(o){return r.parser.lazy[r.now().line]?n(o):t(o)}}var xn={concrete:!0,name:"codeFenced",tokenize:Fa};function Fa(e,t,n){let r=this,i={partial:!0,tokenize:N},s=0,o=0,a;return l;function l(x){return c(x)}function c(x){let q=r.events[r.events.length-1];return s=q&&q[1].type==="linePrefix"?q[2].sliceSerialize(q[1],!0).length:0,a=x,e.enter("codeFenced"),e.enter("codeFencedFence"),e.enter("codeFencedFenceSequence"),u(x)}function u(x){return x===a?(o++,e.consume(x),u):o<3?n(x):(e.exit("codeFencedFenceSequence"),E(x)?C(e,d,"whitespace")(x):d(x))}function d(x){return x===null||S(x)?(e.exit("codeFencedFence"),r.interrupt?t(x):e.check(Lt,I,D)(x)):(e.enter("codeFencedFenceInfo"),e.enter("chunkString",{contentType:"string"}),f(x))}function f(x){return x===null||S(x)?(e.exit("chunkString"),e.exit("codeFencedFenceInfo"),d(x)):E(x)?(e.exit("chunkString"),e.exit("codeFencedFenceInfo"),C(e,h,"whitespace")(x)):x===96&&x===a?n(x):(e.consume(x),f)}function h(x){return x===null||S(x)?d(x):(e.enter("codeFencedFenceMeta"),e.enter("chunkString",{contentType:"string"}),y(x))}function y(x){return x===null||S(x)?(e.exit("chunkString"),e.exit("codeFencedFenceMeta"),d(x)):x===96&&x===a?n(x):(e.consume(x),y)}function I(x){return e.attempt(i,D,R)(x)}function R(x){return e.enter("lineEnding"),e.consume(x),e.exit("lineEnding"),v}function v(x){return s>0&&E(x)?C(e,U,"linePrefix",s+1)(x):U(x)}function U(x){return x===null||S(x)?e.check(Lt,I,D)(x):(e.enter("codeFlowValue"),T(x))}function T(x){return x===null||S(x)?(e.exit("codeFlowValue"),U(x)):(e.consume(x),T)}function D(x){return e.exit("codeFenced"),t(x)}function N(x,q,H){let Q=0;return g;function g(M){return x.enter("lineEnding"),x.consume(M),x.exit("lineEnding"),B}function B(M){return x.enter("codeFencedFence"),E(M)?C(x,j,"linePrefix",r.parser.constructs.disable.null.includes("codeIndented")?void 0:4)(M):j(M)}function j(M){return M===a?(x.enter("codeFencedFenceSequence"),A(M)):H(M)}function A(M){return M===a?(Q++,x.consume(M),A):Q>=o?(x.exit("codeFencedFenceSequence"),E(M)?C(x,P,"whitespace")(M):P(M)):H(M)}function P(M){return M===null||S(M)?(x.exit("codeFencedFence"),q(M)):H(M)}}}var Mt={name:"codeIndented",tokenize:Ba},Da={partial:!0,tokenize:Na};function Ba(e,t,n){return r;function r(a){return e.enter("codeIndented"),fr(e,i,n,"linePrefix",4,4)(a)}function i(a){return a===null?o(a):S(a)?e.attempt(Da,i,o)(a):(e.enter("codeFlowValue"),s(a))}function s(a){return a===null||S(a)?(e.exit("codeFlowValue"),i(a)):(e.consume(a),s)}function o(a){return e.exit("codeIndented"),t(a)}}function Na(e,t,n){let r=this;return i;function i(o){return r.parser.lazy[r.now().line]?n(o):S(o)?(e.enter("lineEnding"),e.consume(o),e.exit("lineEnding"),i):fr(e,t,s,"linePrefix",4,4)(o)}function s(o){return S(o)?i(o):n(o)}}var Pt={name:"codeText",previous:ja,resolve:Ha,tokenize:Ua};function Ha(e){let t=e.length-4,n=3,r,i;if((e[n][1].type==="lineEnding"||e[n][1].type==="space")&&(e[t][1].type==="lineEnding"||e[t][1].type==="space")){for(r=n;++r<t;)if(e[r][1].type==="codeTextData"){e[n][1].type="codeTextPadding",e[t][1].type="codeTextPadding",n+=2,t-=2;break}}for(r=n-1,t++;++r<=t;)i===void 0?r!==t&&e[r][1].type!=="lineEnding"&&(i=r):(r===t||e[r][1].type==="lineEnding")&&(e[i][1].type="codeTextData",r!==i+2&&(e[i][1].end=e[r-1][1].end,e.splice(i+2,r-i-2),t-=r-i-2,r=i+2),i=void 0);return e}function ja(e){return e!==96||this.events[this.events.length-1][1].type==="characterEscape"}function Ua(e,t,n){let r=this,i=0,s,o;return a;function a(f){return e.enter("codeText"),e.enter("codeTextSequence"),l(f)}function l(f){return f===96?(e.consume(f),i++,l):(e.exit("codeTextSequence"),c(f))}function c(f){return f===null?n(f):f===32?(e.enter("space"),e.consume(f),e.exit("space"),c):f===96?(o=e.enter("codeTextSequence"),s=0,d(f)):S(f)?(e.enter("lineEnding"),e.consume(f),e.exit("lineEnding"),c):(e.enter("codeTextData"),u(f))}function u(f){return f===null||f===32||f===96||S(f)?(e.exit("codeTextData"),c(f)):(e.consume(f),u)}function d(f){return f===96?(e.consume(f),s++,d):s===i?(e.exit("codeTextSequence"),e.exit("codeText"),t(f)):(o.type="codeTextData",u(f))}}var yn=class{constructor(t){this.left=t?[...t]:[],this.right=[]}get(t){if(t<0||t>=this.left.length+this.right.length)throw new RangeError("Cannot access index `"+t+"` in a splice buffer of size `"+(this.left.length+this.right.length)+"`");return t<this.left.length?this.left[t]:this.right[this.right.length-t+this.left.length-1]}get length(){return this.left.length+this.right.length}shift(){return this.setCursor(0),this.right.pop()}slice(t,n){let r=n??Number.POSITIVE_INFINITY;return r<this.left.length?this.left.slice(t,r):t>this.left.length?this.right.slice(this.right.length-r+this.left.length,this.right.length-t+this.left.length).reverse():this.left.slice(t).concat(this.right.slice(this.right.length-r+this.left.length).reverse())}splice(t,n,r){let i=n||0;this.setCursor(Math.trunc(t));let s=this.right.splice(this.right.length-i,Number.POSITIVE_INFINITY);return r&&Rt(this.left,r),s.reverse()}pop(){return this.setCursor(Number.POSITIVE_INFINITY),this.left.pop()}push(t){this.setCursor(Number.POSITIVE_INFINITY),this.left.push(t)}pushMany(t){this.setCursor(Number.POSITIVE_INFINITY),Rt(this.left,t)}unshift(t){this.setCursor(0),this.right.push(t)}unshiftMany(t){this.setCursor(0),Rt(this.right,t.reverse())}setCursor(t){if(!(t===this.left.length||t>this.left.length&&this.right.length===0||t<0&&this.left.length===0))if(t<this.left.length){let n=this.left.splice(t,Number.POSITIVE_INFINITY);Rt(this.right,n.reverse())}else{let n=this.right.splice(this.left.length+this.right.length-t,Number.POSITIVE_INFINITY);Rt(this.left,n.reverse())}}};function Rt(e,t){let n=0;if(t.length<1e4)e.push(...t);else for(;n<t.length;)e.push(...t.slice(n,n+1e4)),n+=1e4}function wn(e){let t={},n=-1,r,i,s,o,a,l,c,u=new yn(e);for(;++n<u.length;){for(;n in t;)n=t[n];if(r=u.get(n),n&&r[1].type==="chunkFlow"&&u.get(n-1)[1].type==="listItemPrefix"&&(l=r[1]._tokenizer.events,s=0,s<l.length&&l[s][1].type==="lineEndingBlank"&&(s+=2),s<l.length&&l[s][1].type==="content"))for(;++s<l.length&&l[s][1].type!=="content";)l[s][1].type==="chunkText"&&(l[s][1]._isInFirstContentOfListItem=!0,s++);if(r[0]==="enter")r[1].contentType&&(Object.assign(t,Va(u,n)),n=t[n],c=!0);else if(r[1]._container){for(s=n,i=void 0;s--;)if(o=u.get(s),o[1].type==="lineEnding"||o[1].type==="lineEndingBlank")o[0]==="enter"&&(i&&(u.get(i)[1].type="lineEndingBlank"),o[1].type="lineEnding",i=s);else if(!(o[1].type==="linePrefix"||o[1].type==="listItemIndent"))break;i&&(r[1].end={...u.get(i)[1].start},a=u.slice(i,n),a.unshift(r),u.splice(i,n-i+1,a))}}return X(e,0,Number.POSITIVE_INFINITY,u.slice(0)),!c}function Va(e,t){let n=e.get(t)[1],r=e.get(t)[2],i=t-1,s=[],o=n._tokenizer;o||(o=r.parser[n.contentType](n.start),n._contentTypeTextTrailing&&(o._contentTypeTextTrailing=!0));let a=o.events,l=[],c={},u,d,f=-1,h=n,y=0,I=0,R=[I];for(;h;){for(;e.get(++i)[1]!==h;);s.push(i),h._tokenizer||(u=r.sliceStream(h),h.next||u.push(null),d&&o.defineSkip(h.start),h._isInFirstContentOfListItem&&(o._gfmTasklistFirstContentOfListItem=!0),o.write(u),h._isInFirstContentOfListItem&&(o._gfmTasklistFirstContentOfListItem=void 0)),d=h,h=h.next}for(h=n;++f<a.length;)a[f][0]==="exit"&&a[f-1][0]==="enter"&&a[f][1].type===a[f-1][1].type&&a[f][1].start.line!==a[f][1].end.line&&(I=f+1,R.push(I),h._tokenizer=void 0,h.previous=void 0,h=h.next);for(o.events=[],h?(h._tokenizer=void 0,h.previous=void 0):R.pop(),f=R.length;f--;){let v=a.slice(R[f],R[f+1]),U=s.pop();l.push([U,U+v.length-1]),e.splice(U,2,v)}for(l.reverse(),f=-1;++f<l.length;)c[y+l[f][0]]=y+l[f][1],y+=l[f][1]-l[f][0]-1;return c}var gr={resolve:Qa,tokenize:Ya},Wa={partial:!0,tokenize:Ja};function Qa(e){return wn(e),e}function Ya(e,t){let n;return r;function r(a){return e.enter("content"),n=e.enter("chunkContent",{contentType:"content"}),i(a)}function i(a){return a===null?s(a):S(a)?e.check(Wa,o,s)(a):(e.consume(a),i)}function s(a){return e.exit("chunkContent"),e.exit("content"),t(a)}function o(a){return e.consume(a),e.exit("chunkContent"),n.next=e.enter("chunkContent",{contentType:"content",previous:n}),n=n.next,i}}function Ja(e,t,n){let r=this;return i;function i(o){return e.exit("chunkContent"),e.enter("lineEnding"),e.consume(o),e.exit("lineEnding"),C(e,s,"linePrefix")}function s(o){if(o===null||S(o))return n(o);let a=r.events[r.events.length-1];return!r.parser.constructs.disable.null.includes("codeIndented")&&a&&a[1].type==="linePrefix"&&a[2].sliceSerialize(a[1],!0).length>=4?t(o):e.interrupt(r.parser.constructs.flow,n,t)(o)}}function vn(e,t,n,r,i,s,o,a,l){let c=l||Number.POSITIVE_INFINITY,u=0;return d;function d(v){return v===60?(e.enter(r),e.enter(i),e.enter(s),e.consume(v),e.exit(s),f):v===null||v===32||v===41||Ye(v)?n(v):(e.enter(r),e.enter(o),e.enter(a),e.enter("chunkString",{contentType:"string"}),I(v))}function f(v){return v===62?(e.enter(s),e.consume(v),e.exit(s),e.exit(i),e.exit(r),t):(e.enter(a),e.enter("chunkString",{contentType:"string"}),h(v))}function h(v){return v===62?(e.exit("chunkString"),e.exit(a),f(v)):v===null||v===60||S(v)?n(v):(e.consume(v),v===92?y:h)}function y(v){return v===60||v===62||v===92?(e.consume(v),h):h(v)}function I(v){return!u&&(v===null||v===41||F(v))?(e.exit("chunkString"),e.exit(a),e.exit(o),e.exit(r),t(v)):u<c&&v===40?(e.consume(v),u++,I):v===41?(e.consume(v),u--,I):v===null||v===32||v===40||Ye(v)?n(v):(e.consume(v),v===92?R:I)}function R(v){return v===40||v===41||v===92?(e.consume(v),I):I(v)}}function $n(e,t,n,r,i,s){let o=this,a=0,l;return c;function c(h){return e.enter(r),e.enter(i),e.consume(h),e.exit(i),e.enter(s),u}function u(h){return a>999||h===null||h===91||h===93&&!l||h===94&&!a&&"_hiddenFootnoteSupport"in o.parser.constructs?n(h):h===93?(e.exit(s),e.enter(i),e.consume(h),e.exit(i),e.exit(r),t):S(h)?(e.enter("lineEnding"),e.consume(h),e.exit("lineEnding"),u):(e.enter("chunkString",{contentType:"string"}),d(h))}function d(h){return h===null||h===91||h===93||S(h)||a++>999?(e.exit("chunkString"),u(h)):(e.consume(h),l||(l=!E(h)),h===92?f:d)}function f(h){return h===91||h===92||h===93?(e.consume(h),a++,d):d(h)}}function Sn(e,t,n,r,i,s){let o;return a;function a(f){return f===34||f===39||f===40?(e.enter(r),e.enter(i),e.consume(f),e.exit(i),o=f===40?41:f,l):n(f)}function l(f){return f===o?(e.enter(i),e.consume(f),e.exit(i),e.exit(r),t):(e.enter(s),c(f))}function c(f){return f===o?(e.exit(s),l(o)):f===null?n(f):S(f)?(e.enter("lineEnding"),e.consume(f),e.exit("lineEnding"),C(e,c,"linePrefix")):(e.enter("chunkString",{contentType:"string"}),u(f))}function u(f){return f===o||f===null||S(f)?(e.exit("chunkString"),c(f)):(e.consume(f),f===92?d:u)}function d(f){return f===o||f===92?(e.consume(f),u):u(f)}}function Je(e,t){let n;return r;function r(i){return S(i)?(e.enter("lineEnding"),e.consume(i),e.exit("lineEnding"),n=!0,r):E(i)?C(e,r,n?"linePrefix":"lineSuffix")(i):t(i)}}var br={name:"definition",tokenize:Ga},Ka={partial:!0,tokenize:Za};function Ga(e,t,n){let r=this,i;return s;function s(h){return e.enter("definition"),o(h)}function o(h){return $n.call(r,e,a,n,"definitionLabel","definitionLabelMarker","definitionLabelString")(h)}function a(h){return i=Ce(r.sliceSerialize(r.events[r.events.length-1][1]).slice(1,-1)),h===58?(e.enter("definitionMarker"),e.consume(h),e.exit("definitionMarker"),l):n(h)}function l(h){return F(h)?Je(e,c)(h):c(h)}function c(h){return vn(e,u,n,"definitionDestination","definitionDestinationLiteral","definitionDestinationLiteralMarker","definitionDestinationRaw","definitionDestinationString")(h)}function u(h){return e.attempt(Ka,d,d)(h)}function d(h){return E(h)?C(e,f,"whitespace")(h):f(h)}function f(h){return h===null||S(h)?(e.exit("definition"),r.parser.defined.push(i),t(h)):n(h)}}function Za(e,t,n){return r;function r(a){return F(a)?Je(e,i)(a):n(a)}function i(a){return Sn(e,s,n,"definitionTitle","definitionTitleMarker","definitionTitleString")(a)}function s(a){return E(a)?C(e,o,"whitespace")(a):o(a)}function o(a){return a===null||S(a)?t(a):n(a)}}var kr={name:"hardBreakEscape",tokenize:Xa};function Xa(e,t,n){return r;function r(s){return e.enter("hardBreakEscape"),e.consume(s),i}function i(s){return S(s)?(e.exit("hardBreakEscape"),t(s)):n(s)}}var xr={name:"headingAtx",resolve:el,tokenize:tl};function el(e,t){let n=e.length-2,r=3;if(e[r][1].type==="whitespace"&&(r+=2),n-2>r&&e[n][1].type==="whitespace"&&(n-=2),e[n][1].type==="atxHeadingSequence"&&(r===n-1||n-4>r&&e[n-2][1].type==="whitespace")&&(n-=r+1===n?2:4),n>r){let i={type:"atxHeadingText",start:e[r][1].start,end:e[n][1].end},s={type:"chunkText",start:e[r][1].start,end:e[n][1].end,contentType:"text"};X(e,r,n-r+1,[["enter",i,t],["enter",s,t],["exit",s,t],["exit",i,t]])}return e}function tl(e,t,n){let r=0;return i;function i(u){return e.enter("atxHeading"),s(u)}function s(u){return e.enter("atxHeadingSequence"),o(u)}function o(u){return u===35&&r++<6?(e.consume(u),o):u===null||F(u)?(e.exit("atxHeadingSequence"),a(u)):n(u)}function a(u){return u===35?(e.enter("atxHeadingSequence"),l(u)):u===null||S(u)?(e.exit("atxHeading"),t(u)):E(u)?C(e,a,"whitespace")(u):(e.enter("atxHeadingText"),c(u))}function l(u){return u===35?(e.consume(u),l):(e.exit("atxHeadingSequence"),a(u))}function c(u){return u===null||u===35||F(u)?(e.exit("atxHeadingText"),a(u)):(e.consume(u),c)}}var gs=["address","article","aside","base","basefont","blockquote","body","caption","center","col","colgroup","dd","details","dialog","dir","div","dl","dt","fieldset","figcaption","figure","footer","form","frame","frameset","h1","h2","h3","h4","h5","h6","head","header","hr","html","iframe","legend","li","link","main","menu","menuitem","nav","noframes","ol","optgroup","option","p","param","search","section","summary","table","tbody","td","tfoot","th","thead","title","tr","track","ul"],yr=["pre","script","style","textarea"];var wr={concrete:!0,name:"htmlFlow",resolveTo:rl,tokenize:il},nl={partial:!0,tokenize:sl};function rl(e){let t=e.length;for(;t--&&!(e[t][0]==="enter"&&e[t][1].type==="htmlFlow"););return t>1&&e[t-2][1].type==="linePrefix"&&(e[t][1].start=e[t-2][1].start,e[t+1][1].start=e[t-2][1].start,e.splice(t-2,2)),e}function il(e,t,n){let r=this,i,s,o,a,l;return c;function c(m){return u(m)}function u(m){return e.enter("htmlFlow"),e.enter("htmlFlowData"),e.consume(m),d}function d(m){return m===33?(e.consume(m),f):m===47?(e.consume(m),s=!0,I):m===63?(e.consume(m),i=3,r.interrupt?t:p):G(m)?(e.consume(m),o=String.fromCharCode(m),R):n(m)}function f(m){return m===45?(e.consume(m),i=2,h):m===91?(e.consume(m),i=5,a=0,y):G(m)?(e.consume(m),i=4,r.interrupt?t:p):n(m)}function h(m){return m===45?(e.consume(m),r.interrupt?t:p):n(m)}function y(m){let le="CDATA[";return m===le.charCodeAt(a++)?(e.consume(m),a===le.length?r.interrupt?t:j:y):n(m)}function I(m){return G(m)?(e.consume(m),o=String.fromCharCode(m),R):n(m)}function R(m){if(m===null||m===47||m===62||F(m)){let le=m===47,tt=o.toLowerCase();return!le&&!s&&yr.includes(tt)?(i=1,r.interrupt?t(m):j(m)):gs.includes(o.toLowerCase())?(i=6,le?(e.consume(m),v):r.interrupt?t(m):j(m)):(i=7,r.interrupt&&!r.parser.lazy[r.now().line]?n(m):s?U(m):T(m))}return m===45||Z(m)?(e.consume(m),o+=String.fromCharCode(m),R):n(m)}function v(m){return m===62?(e.consume(m),r.interrupt?t:j):n(m)}function U(m){return E(m)?(e.consume(m),U):g(m)}function T(m){return m===47?(e.consume(m),g):m===58||m===95||G(m)?(e.consume(m),D):E(m)?(e.consume(m),T):g(m)}function D(m){return m===45||m===46||m===58||m===95||Z(m)?(e.consume(m),D):N(m)}function N(m){return m===61?(e.consume(m),x):E(m)?(e.consume(m),N):T(m)}function x(m){return m===null||m===60||m===61||m===62||m===96?n(m):m===34||m===39?(e.consume(m),l=m,q):E(m)?(e.consume(m),x):H(m)}function q(m){return m===l?(e.consume(m),l=null,Q):m===null||S(m)?n(m):(e.consume(m),q)}function H(m){return m===null||m===34||m===39||m===47||m===60||m===61||m===62||m===96||F(m)?N(m):(e.consume(m),H)}function Q(m){return m===47||m===62||E(m)?T(m):n(m)}function g(m){return m===62?(e.consume(m),B):n(m)}function B(m){return m===null||S(m)?j(m):E(m)?(e.consume(m),B):n(m)}function j(m){return m===45&&i===2?(e.consume(m),Y):m===60&&i===1?(e.consume(m),J):m===62&&i===4?(e.consume(m),de):m===63&&i===3?(e.consume(m),p):m===93&&i===5?(e.consume(m),fe):S(m)&&(i===6||i===7)?(e.exit("htmlFlowData"),e.check(nl,we,A)(m)):m===null||S(m)?(e.exit("htmlFlowData"),A(m)):(e.consume(m),j)}function A(m){return e.check(Lt,P,we)(m)}function P(m){return e.enter("lineEnding"),e.consume(m),e.exit("lineEnding"),M}function M(m){return m===null||S(m)?A(m):(e.enter("htmlFlowData"),j(m))}function Y(m){return m===45?(e.consume(m),p):j(m)}function J(m){return m===47?(e.consume(m),o="",pe):j(m)}function pe(m){if(m===62){let le=o.toLowerCase();return yr.includes(le)?(e.consume(m),de):j(m)}return G(m)&&o.length<8?(e.consume(m),o+=String.fromCharCode(m),pe):j(m)}function fe(m){return m===93?(e.consume(m),p):j(m)}function p(m){return m===62?(e.consume(m),de):m===45&&i===2?(e.consume(m),p):j(m)}function de(m){return m===null||S(m)?(e.exit("htmlFlowData"),we(m)):(e.consume(m),de)}function we(m){return e.exit("htmlFlow"),t(m)}}function sl(e,t,n){return r;function r(i){return e.enter("lineEnding"),e.consume(i),e.exit("lineEnding"),e.attempt(Be,t,n)}}var vr={name:"htmlText",tokenize:ol};function ol(e,t,n){let r=this,i,s,o;return a;function a(p){return e.enter("htmlText"),e.enter("htmlTextData"),e.consume(p),l}function l(p){return p===33?(e.consume(p),c):p===47?(e.consume(p),N):p===63?(e.consume(p),T):G(p)?(e.consume(p),H):n(p)}function c(p){return p===45?(e.consume(p),u):p===91?(e.consume(p),s=0,y):G(p)?(e.consume(p),U):n(p)}function u(p){return p===45?(e.consume(p),h):n(p)}function d(p){return p===null?n(p):p===45?(e.consume(p),f):S(p)?(o=d,J(p)):(e.consume(p),d)}function f(p){return p===45?(e.consume(p),h):d(p)}function h(p){return p===62?Y(p):p===45?f(p):d(p)}function y(p){let de="CDATA[";return p===de.charCodeAt(s++)?(e.consume(p),s===de.length?I:y):n(p)}function I(p){return p===null?n(p):p===93?(e.consume(p),R):S(p)?(o=I,J(p)):(e.consume(p),I)}function R(p){return p===93?(e.consume(p),v):I(p)}function v(p){return p===62?Y(p):p===93?(e.consume(p),v):I(p)}function U(p){return p===null||p===62?Y(p):S(p)?(o=U,J(p)):(e.consume(p),U)}function T(p){return p===null?n(p):p===63?(e.consume(p),D):S(p)?(o=T,J(p)):(e.consume(p),T)}function D(p){return p===62?Y(p):T(p)}function N(p){return G(p)?(e.consume(p),x):n(p)}function x(p){return p===45||Z(p)?(e.consume(p),x):q(p)}function q(p){return S(p)?(o=q,J(p)):E(p)?(e.consume(p),q):Y(p)}function H(p){return p===45||Z(p)?(e.consume(p),H):p===47||p===62||F(p)?Q(p):n(p)}function Q(p){return p===47?(e.consume(p),Y):p===58||p===95||G(p)?(e.consume(p),g):S(p)?(o=Q,J(p)):E(p)?(e.consume(p),Q):Y(p)}function g(p){return p===45||p===46||p===58||p===95||Z(p)?(e.consume(p),g):B(p)}function B(p){return p===61?(e.consume(p),j):S(p)?(o=B,J(p)):E(p)?(e.consume(p),B):Q(p)}function j(p){return p===null||p===60||p===61||p===62||p===96?n(p):p===34||p===39?(e.consume(p),i=p,A):S(p)?(o=j,J(p)):E(p)?(e.consume(p),j):(e.consume(p),P)}function A(p){return p===i?(e.consume(p),i=void 0,M):p===null?n(p):S(p)?(o=A,J(p)):(e.consume(p),A)}function P(p){return p===null||p===34||p===39||p===60||p===61||p===96?n(p):p===47||p===62||F(p)?Q(p):(e.consume(p),P)}function M(p){return p===47||p===62||F(p)?Q(p):n(p)}function Y(p){return p===62?(e.consume(p),e.exit("htmlTextData"),e.exit("htmlText"),t):n(p)}function J(p){return e.exit("htmlTextData"),e.enter("lineEnding"),e.consume(p),e.exit("lineEnding"),pe}function pe(p){return E(p)?C(e,fe,"linePrefix",r.parser.constructs.disable.null.includes("codeIndented")?void 0:4)(p):fe(p)}function fe(p){return e.enter("htmlTextData"),o(p)}}var ze={name:"labelEnd",resolveAll:cl,resolveTo:dl,tokenize:hl},al={tokenize:pl},ll={tokenize:ml},ul={tokenize:fl};function cl(e){let t=-1,n=[];for(;++t<e.length;){let r=e[t][1];if(n.push(e[t]),r.type==="labelImage"||r.type==="labelLink"||r.type==="labelEnd"){let i=r.type==="labelImage"?4:2;r.type="data",t+=i}}return e.length!==n.length&&X(e,0,e.length,n),e}function dl(e,t){let n=e.length,r=0,i,s,o;for(;n--;){let u=e[n][1];if(i){if(u.type==="link"||u.type==="labelLink"&&u._inactive)break;e[n][0]==="enter"&&u.type==="labelLink"&&(u._inactive=!0)}else if(s){if(e[n][0]==="enter"&&(u.type==="labelImage"||u.type==="labelLink")&&!u._balanced&&(i=n,u.type!=="labelLink")){r=2;break}}else u.type==="labelEnd"&&(s=n)}let a={type:e[i][1].type==="labelLink"?"link":"image",start:{...e[i][1].start},end:{...e[e.length-1][1].end}},l={type:"label",start:{...e[i][1].start},end:{...e[s][1].end}},c={type:"labelText",start:{...e[i+r+2][1].end},end:{...e[s-2][1].start}};return o=[["enter",a,t],["enter",l,t]],o=se(o,e.slice(i+1,i+r+3)),o=se(o,[["enter",c,t]]),o=se(o,Fe(t.parser.constructs.insideSpan.null,e.slice(i+r+4,s-3),t)),o=se(o,[["exit",c,t],e[s-2],e[s-1],["exit",l,t]]),o=se(o,e.slice(s+1)),o=se(o,[["exit",a,t]]),X(e,i,e.length,o),e}function hl(e,t,n){let r=this,i=r._labelStarts,s,o;if(i){for(;i.length>0&&i[i.length-1]._balanced;)i.pop();s=i[i.length-1]}return a;function a(f){return s?s._inactive?d(f):(o=r.parser.defined.includes(Ce(r.sliceSerialize({start:s.end,end:r.now()}))),e.enter("labelEnd"),e.enter("labelMarker"),e.consume(f),e.exit("labelMarker"),e.exit("labelEnd"),l):n(f)}function l(f){return f===40?e.attempt(al,u,o?u:d)(f):f===91?e.attempt(ll,u,o?c:d)(f):o?u(f):d(f)}function c(f){return e.attempt(ul,u,d)(f)}function u(f){return i.pop(),t(f)}function d(f){return s._balanced=!0,n(f)}}function pl(e,t,n){return r;function r(d){return e.enter("resource"),e.enter("resourceMarker"),e.consume(d),e.exit("resourceMarker"),i}function i(d){return F(d)?Je(e,s)(d):s(d)}function s(d){return d===41?u(d):vn(e,o,a,"resourceDestination","resourceDestinationLiteral","resourceDestinationLiteralMarker","resourceDestinationRaw","resourceDestinationString",32)(d)}function o(d){return F(d)?Je(e,l)(d):u(d)}function a(d){return n(d)}function l(d){return d===34||d===39||d===40?Sn(e,c,n,"resourceTitle","resourceTitleMarker","resourceTitleString")(d):u(d)}function c(d){return F(d)?Je(e,u)(d):u(d)}function u(d){return d===41?(e.enter("resourceMarker"),e.consume(d),e.exit("resourceMarker"),e.exit("resource"),t):n(d)}}function ml(e,t,n){let r=this;return i;function i(a){return $n.call(r,e,s,o,"reference","referenceMarker","referenceString")(a)}function s(a){return r.parser.defined.includes(Ce(r.sliceSerialize(r.events[r.events.length-1][1]).slice(1,-1)))?t(a):n(a)}function o(a){return n(a)}}function fl(e,t,n){return r;function r(s){return e.enter("reference"),e.enter("referenceMarker"),e.consume(s),e.exit("referenceMarker"),i}function i(s){return s===93?(e.enter("referenceMarker"),e.consume(s),e.exit("referenceMarker"),e.exit("reference"),t):n(s)}}var $r={name:"labelStartImage",resolveAll:ze.resolveAll,tokenize:gl};function gl(e,t,n){let r=this,i;return s;function s(l){return e.enter("labelImage"),e.enter("labelImageMarker"),e.consume(l),e.exit("labelImageMarker"),o}function o(l){return l===91?(e.enter("labelMarker"),e.consume(l),e.exit("labelMarker"),i=e.exit("labelImage"),a):n(l)}function a(l){return l===94&&"_hiddenFootnoteSupport"in r.parser.constructs?n(l):(r._labelStarts=r._labelStarts||[],r._labelStarts.push(i),t(l))}}var Ot={name:"labelStartLink",resolveAll:ze.resolveAll,tokenize:bl};function bl(e,t,n){let r=this,i;return s;function s(a){return e.enter("labelLink"),e.enter("labelMarker"),e.consume(a),e.exit("labelMarker"),i=e.exit("labelLink"),o}function o(a){return a===94&&"_hiddenFootnoteSupport"in r.parser.constructs?n(a):(r._labelStarts=r._labelStarts||[],r._labelStarts.push(i),t(a))}}var qt={name:"lineEnding",tokenize:kl};function kl(e,t){return n;function n(r){return e.enter("lineEnding"),e.consume(r),e.exit("lineEnding"),C(e,t,"linePrefix")}}var Ke={name:"thematicBreak",tokenize:xl};function xl(e,t,n){let r=0,i;return s;function s(c){return e.enter("thematicBreak"),o(c)}function o(c){return i=c,a(c)}function a(c){return c===i?(e.enter("thematicBreakSequence"),l(c)):r>=3&&(c===null||S(c))?(e.exit("thematicBreak"),t(c)):n(c)}function l(c){return c===i?(e.consume(c),r++,l):(e.exit("thematicBreakSequence"),E(c)?C(e,a,"whitespace")(c):a(c))}}var ee={continuation:{tokenize:$l},exit:_l,name:"list",tokenize:vl},yl={partial:!0,tokenize:Tl},wl={partial:!0,tokenize:Sl};function vl(e,t,n){let r=this,i=r.events[r.events.length-1],s=i&&i[1].type==="linePrefix"?i[2].sliceSerialize(i[1],!0).length:0,o=0;return a;function a(h){let y=r.containerState.type||(h===42||h===43||h===45?"listUnordered":"listOrdered");if(y==="listUnordered"?!r.containerState.marker||h===r.containerState.marker:Ct(h)){if(r.containerState.type||(r.containerState.type=y,e.enter(y,{_container:!0})),y==="listUnordered")return e.enter("listItemPrefix"),h===42||h===45?e.check(Ke,n,c)(h):c(h);if(!r.interrupt||h===49)return e.enter("listItemPrefix"),e.enter("listItemValue"),l(h)}return n(h)}function l(h){return Ct(h)&&++o<10?(e.consume(h),l):(!r.interrupt||o<2)&&(r.containerState.marker?h===r.containerState.marker:h===41||h===46)?(e.exit("listItemValue"),c(h)):n(h)}function c(h){return e.enter("listItemMarker"),e.consume(h),e.exit("listItemMarker"),r.containerState.marker=r.containerState.marker||h,e.check(Be,r.interrupt?n:u,e.attempt(yl,f,d))}function u(h){return r.containerState.initialBlankLine=!0,s++,f(h)}function d(h){return E(h)?(e.enter("listItemPrefixWhitespace"),e.consume(h),e.exit("listItemPrefixWhitespace"),f):n(h)}function f(h){return r.containerState.size=s+r.sliceSerialize(e.exit("listItemPrefix"),!0).length,t(h)}}function $l(e,t,n){let r=this;return r.containerState._closeFlow=void 0,e.check(Be,i,s);function i(a){return r.containerState.furtherBlankLines=r.containerState.furtherBlankLines||r.containerState.initialBlankLine,C(e,t,"listItemIndent",r.containerState.size+1)(a)}function s(a){return r.containerState.furtherBlankLines||!E(a)?(r.containerState.furtherBlankLines=void 0,r.containerState.initialBlankLine=void 0,o(a)):(r.containerState.furtherBlankLines=void 0,r.containerState.initialBlankLine=void 0,e.attempt(wl,t,o)(a))}function o(a){return r.containerState._closeFlow=!0,r.interrupt=void 0,C(e,e.attempt(ee,t,n),"linePrefix",r.parser.constructs.disable.null.includes("codeIndented")?void 0:4)(a)}}function Sl(e,t,n){let r=this;return C(e,i,"listItemIndent",r.containerState.size+1);function i(s){let o=r.events[r.events.length-1];return o&&o[1].type==="listItemIndent"&&o[2].sliceSerialize(o[1],!0).length===r.containerState.size?t(s):n(s)}}function _l(e){e.exit(this.containerState.type)}function Tl(e,t,n){let r=this;return C(e,i,"listItemPrefixWhitespace",r.parser.constructs.disable.null.includes("codeIndented")?void 0:5);function i(s){let o=r.events[r.events.length-1];return!E(s)&&o&&o[1].type==="listItemPrefixWhitespace"?t(s):n(s)}}var _n={name:"setextUnderline",resolveTo:Al,tokenize:El};function Al(e,t){let n=new Ie,r=e.length,i,s,o;for(;r--;)if(e[r][0]==="enter"){if(e[r][1].type==="content"){i=r;break}e[r][1].type==="paragraph"&&(s=r)}else e[r][1].type==="content"&&n.add(r,1,[]),!o&&e[r][1].type==="definition"&&(o=r);let a={type:"setextHeading",start:{...e[i][1].start},end:{...e[e.length-1][1].end}};return e[s][1].type="setextHeadingText",o?(n.add(s,0,[["enter",a,t]]),n.add(o+1,0,[["exit",e[i][1],t]]),e[i][1].end={...e[o][1].end}):e[i][1]=a,n.add(e.length,0,[["exit",a,t]]),n.consume(e),e}function El(e,t,n){let r=this,i;return s;function s(c){let u=r.events.length,d;for(;u--;)if(r.events[u][1].type!=="lineEnding"&&r.events[u][1].type!=="linePrefix"&&r.events[u][1].type!=="content"){d=r.events[u][1].type==="paragraph";break}return!r.parser.lazy[r.now().line]&&(r.interrupt||d)?(e.enter("setextHeadingLine"),i=c,o(c)):n(c)}function o(c){return e.enter("setextHeadingLineSequence"),a(c)}function a(c){return c===i?(e.consume(c),a):(e.exit("setextHeadingLineSequence"),E(c)?C(e,l,"lineSuffix")(c):l(c))}function l(c){return c===null||S(c)?(e.exit("setextHeadingLine"),t(c)):n(c)}}var bs={tokenize:Cl};function Cl(e){let t=this,n=e.attempt(Be,r,e.attempt(this.parser.constructs.flowInitial,i,C(e,e.attempt(this.parser.constructs.flow,i,e.attempt(gr,i)),"linePrefix")));return n;function r(s){if(s===null){e.consume(s);return}return e.enter("lineEndingBlank"),e.consume(s),e.exit("lineEndingBlank"),t.currentConstruct=void 0,n}function i(s){if(s===null){e.consume(s);return}return e.enter("lineEnding"),e.consume(s),e.exit("lineEnding"),t.currentConstruct=void 0,n}}var ks={resolveAll:vs()},xs=ws("string"),ys=ws("text");function ws(e){return{resolveAll:vs(e==="text"?Il:void 0),tokenize:t};function t(n){let r=this,i=this.parser.constructs[e],s=n.attempt(i,o,a);return o;function o(u){return c(u)?s(u):a(u)}function a(u){if(u===null){n.consume(u);return}return n.enter("data"),n.consume(u),l}function l(u){return c(u)?(n.exit("data"),s(u)):(n.consume(u),l)}function c(u){if(u===null)return!0;let d=i[u],f=-1;if(d)for(;++f<d.length;){let h=d[f];if(!h.previous||h.previous.call(r,r.previous))return!0}return!1}}}function vs(e){return t;function t(n,r){let i=-1,s;for(;++i<=n.length;)s===void 0?n[i]&&n[i][1].type==="data"&&(s=i,i++):(!n[i]||n[i][1].type!=="data")&&(i!==s+2&&(n[s][1].end=n[i-1][1].end,n.splice(s+2,i-s-2),i=s+2),s=void 0);return e?e(n,r):n}}function Il(e,t){let n=new Ie,r=0;for(;++r<=e.length;)if((r===e.length||e[r][1].type==="lineEnding")&&e[r-1][1].type==="data"){let i=e[r-1][1],s=t.sliceStream(i),o=s.length,a=-1,l=0,c;for(;o--;){let u=s[o];if(typeof u=="string"){for(a=u.length;u.charCodeAt(a-1)===32;)l++,a--;if(a)break;a=-1}else if(u===-2)c=!0,l++;else if(u!==-1){o++;break}}if(t._contentTypeTextTrailing&&r===e.length&&(l=0),l){let u={type:r===e.length||c||l<2?"lineSuffix":"hardBreakTrailing",start:{_bufferIndex:o?a:i.start._bufferIndex+a,_index:i.start._index+o,line:i.end.line,column:i.end.column-l,offset:i.end.offset-l},end:{...i.end}};i.end={...u.start},i.start.offset===i.end.offset?Object.assign(i,u):n.add(r,0,[["enter",u,t],["exit",u,t]])}r++}return n.consume(e),e}var Sr={};No(Sr,{attentionMarkers:()=>Fl,contentInitial:()=>Ll,disable:()=>Dl,document:()=>zl,flow:()=>Pl,flowInitial:()=>Ml,insideSpan:()=>ql,string:()=>Rl,text:()=>Ol});var zl={42:ee,43:ee,45:ee,48:ee,49:ee,50:ee,51:ee,52:ee,53:ee,54:ee,55:ee,56:ee,57:ee,62:dt},Ll={91:br},Ml={[-2]:Mt,[-1]:Mt,32:Mt},Pl={35:xr,42:Ke,45:[_n,Ke],60:wr,61:_n,95:Ke,96:xn,126:xn},Rl={38:kn,92:bn},Ol={[-5]:qt,[-4]:qt,[-3]:qt,33:$r,38:kn,42:De,60:[zt,vr],91:Ot,92:[kr,bn],93:ze,95:De,96:Pt},ql={null:[De,ks]},Fl={null:[42,95]},Dl={null:[]};function $s(e,t,n){let r={_bufferIndex:-1,_index:0,line:n&&n.line||1,column:n&&n.column||1,offset:n&&n.offset||0},i={},s=[],o=[],a=[],l=!0,c={attempt:Q(q),check:Q(H),consume:D,enter:N,exit:x,interrupt:Q(H,{interrupt:!0})},u={code:null,containerState:{},defineSkip:v,events:[],now:R,parser:e,previous:null,sliceSerialize:y,sliceStream:I,write:h},d=t.tokenize.call(u,c),f;return t.resolveAll&&s.push(t),u;function h(A){return o=se(o,A),U(),o[o.length-1]!==null?[]:(g(t,0),u.events=Fe(s,u.events,u),u.events)}function y(A,P){return Nl(I(A),P)}function I(A){return Bl(o,A)}function R(){let{_bufferIndex:A,_index:P,line:M,column:Y,offset:J}=r;return{_bufferIndex:A,_index:P,line:M,column:Y,offset:J}}function v(A){i[A.line]=A.column,j()}function U(){for(;r._index<o.length;){let A=o[r._index];if(typeof A=="string"){let P=r._index;for(r._bufferIndex<0&&(r._bufferIndex=0);r._index===P&&r._bufferIndex<A.length;)T(A.charCodeAt(r._bufferIndex))}else T(A)}}function T(A){l=void 0,f=A,d=d(A)}function D(A){S(A)?(r.line++,r.column=1,r.offset+=A===-3?2:1,j()):A!==-1&&(r.column++,r.offset++),r._bufferIndex<0?r._index++:(r._bufferIndex++,r._bufferIndex===o[r._index].length&&(r._bufferIndex=-1,r._index++)),u.previous=A,l=!0}function N(A,P){let M=P||{};return M.type=A,M.start=R(),u.events.push(["enter",M,u]),a.push(M),M}function x(A){let P=a.pop();return P.end=R(),u.events.push(["exit",P,u]),P}function q(A,P){g(A,P.from)}function H(A,P){P.restore()}function Q(A,P){return M;function M(Y,J,pe){let fe,p,de,we;return Array.isArray(Y)?le(Y):"tokenize"in Y?le([Y]):m(Y);function m(te){return ft;function ft(ve){let nt=ve!==null&&te[ve],He=ve!==null&&te.null,Wn=[...Array.isArray(nt)?nt:nt?[nt]:[],...Array.isArray(He)?He:He?[He]:[]];return le(Wn)(ve)}}function le(te){return fe=te,p=0,te.length===0?pe:tt(te[p])}function tt(te){return ft;function ft(ve){return we=B(),de=te,te.partial||(u.currentConstruct=te),te.name&&u.parser.constructs.disable.null.includes(te.name)?Ht(ve):te.tokenize.call(P?Object.assign(Object.create(u),P):u,c,Nt,Ht)(ve)}}function Nt(te){return l=!0,A(de,we),J}function Ht(te){return l=!0,we.restore(),++p<fe.length?tt(fe[p]):pe}}}function g(A,P){A.resolveAll&&!s.includes(A)&&s.push(A),A.resolve&&X(u.events,P,u.events.length-P,A.resolve(u.events.slice(P),u)),A.resolveTo&&(u.events=A.resolveTo(u.events,u))}function B(){let A=R(),P=u.previous,M=u.currentConstruct,Y=u.events.length,J=Array.from(a);return{from:Y,restore:pe};function pe(){r=A,u.previous=P,u.currentConstruct=M,u.events.length=Y,a=J,j()}}function j(){r.line in i&&r.column<2&&(r.column=i[r.line],r.offset+=i[r.line]-1)}}function Bl(e,t){let n=t.start._index,r=t.start._bufferIndex,i=t.end._index,s=t.end._bufferIndex,o;if(n===i)o=[e[n].slice(r,s)];else{if(o=e.slice(n,i),r>-1){let a=o[0];typeof a=="string"?o[0]=a.slice(r):o.shift()}s>0&&o.push(e[i].slice(0,s))}return o}function Nl(e,t){let n=-1,r=[],i;for(;++n<e.length;){let s=e[n],o;if(typeof s=="string")o=s;else switch(s){case-5:{o="\r";break}case-4:{o=`
`;break}case-3:{o=`\r
`;break}case-2:{o=t?" ":"	";break}case-1:{if(!t&&i)continue;o=" ";break}default:o=String.fromCharCode(s)}i=s===-2,r.push(o)}return r.join("")}function _r(e){let r={constructs:as([Sr,...(e||{}).extensions||[]]),content:i(ds),defined:[],document:i(ms),flow:i(bs),lazy:{},string:i(xs),text:i(ys)};return r;function i(s){return o;function o(a){return $s(r,s,a)}}}function Tr(e){for(;!wn(e););return e}var Ss=/[\0\t\n\r]/g;function Ar(){let e=1,t="",n=!0,r;return i;function i(s,o,a){s=t+(typeof s=="string"?s.toString():new TextDecoder(o||void 0).decode(s));let l=[],c=0;for(t="",n&&(s.charCodeAt(0)===65279&&c++,n=void 0);c<s.length;){Ss.lastIndex=c;let u=Ss.exec(s),d=u&&u.index!==void 0?u.index:s.length,f=s.charCodeAt(d);if(!u){t=s.slice(c);break}if(f===10&&c===d&&r)l.push(-3),r=void 0;else switch(r&&(l.push(-5),r=void 0),c<d&&(l.push(s.slice(c,d)),e+=d-c),f){case 0:{l.push(65533),e++;break}case 9:{let h=Math.ceil(e/4)*4;for(l.push(-2);e++<h;)l.push(-1);break}case 10:{l.push(-4),e=1;break}default:r=!0,e=1}c=d+1}return a&&(r&&l.push(-5),t&&l.push(t),l.push(null)),l}}var Hl=/\\([!-/:-@[-`{-~])|&(#(?:\d{1,7}|x[\da-f]{1,6})|[\da-z]{1,31});/gi;function _s(e){return e.replace(Hl,jl)}function jl(e,t,n){if(t)return t;if(n.charCodeAt(0)===35){let i=n.charCodeAt(1),s=i===120||i===88;return gn(n.slice(s?2:1),s?16:10)}return ut(n)||e}function ht(e){return!e||typeof e!="object"?"":"position"in e||"type"in e?Ts(e.position):"start"in e||"end"in e?Ts(e):"line"in e||"column"in e?Er(e):""}function Er(e){return As(e&&e.line)+":"+As(e&&e.column)}function Ts(e){return Er(e&&e.start)+"-"+Er(e&&e.end)}function As(e){return e&&typeof e=="number"?e:1}var Cs={}.hasOwnProperty;function Cr(e,t,n){return t&&typeof t=="object"&&(n=t,t=void 0),Ul(n)(Tr(_r(n).document().write(Ar()(e,t,!0))))}function Ul(e){let t={afterExit:[],beforeEnter:[],transforms:[],canContainEols:["emphasis","fragment","heading","paragraph","strong"],enter:{autolink:o(oi),autolinkProtocol:g,autolinkEmail:g,atxHeading:o(ri),blockQuote:o(nt),characterEscape:g,characterReference:g,codeFenced:o(He),codeFencedFenceInfo:a,codeFencedFenceMeta:a,codeIndented:o(He,a),codeText:o(Wn,a),codeTextData:g,data:g,codeFlowValue:g,definition:o(Lo),definitionDestinationString:a,definitionLabelString:a,definitionTitleString:a,emphasis:o(Mo),hardBreakEscape:o(ii),hardBreakTrailing:o(ii),htmlFlow:o(si,a),htmlFlowData:g,htmlText:o(si,a),htmlTextData:g,image:o(Po),label:a,link:o(oi),listItem:o(Ro),listItemValue:h,listOrdered:o(ai,f),listUnordered:o(ai),paragraph:o(Oo),reference:le,referenceString:a,resourceDestinationString:a,resourceTitleString:a,setextHeading:o(ri),strong:o(qo),thematicBreak:o(Do)},exit:{atxHeading:c(),atxHeadingSequence:x,autolink:c(),autolinkEmail:ve,autolinkProtocol:ft,blockQuote:c(),characterEscapeValue:B,characterReferenceMarkerHexadecimal:Nt,characterReferenceMarkerNumeric:Nt,characterReferenceValue:Ht,characterReference:te,codeFenced:c(v),codeFencedFence:R,codeFencedFenceInfo:y,codeFencedFenceMeta:I,codeFlowValue:B,codeIndented:c(U),codeText:c(Y),codeTextData:B,data:B,definition:c(),definitionDestinationString:N,definitionLabelString:T,definitionTitleString:D,emphasis:c(),hardBreakEscape:c(A),hardBreakTrailing:c(A),htmlFlow:c(P),htmlFlowData:B,htmlText:c(M),htmlTextData:B,image:c(pe),label:p,labelText:fe,lineEnding:j,link:c(J),listItem:c(),listOrdered:c(),listUnordered:c(),paragraph:c(),referenceString:tt,resourceDestinationString:de,resourceTitleString:we,resource:m,setextHeading:c(Q),setextHeadingLineSequence:H,setextHeadingText:q,strong:c(),thematicBreak:c()}};Is(t,(e||{}).mdastExtensions||[]);let n={};return r;function r(b){let w={type:"root",children:[],position:void 0},z={stack:[w],tokenStack:[],config:t,enter:l,exit:u,buffer:a,resume:d,data:n},L=[],oe=[],V=-1;for(;++V<b.length;)if(oe.push(b[V]),b[V][1].type==="listOrdered"||b[V][1].type==="listUnordered")if(b[V][0]==="enter")L.push(oe.length-1);else{let ae=L.pop();s(oe,ae)}for(b=oe,V=-1;++V<b.length;){let ae=t[b[V][0]];b[V][0]==="enter"&&t.beforeEnter.length>0&&i(t.beforeEnter,{...z,sliceSerialize:b[V][2].sliceSerialize},b[V][1]),Cs.call(ae,b[V][1].type)&&ae[b[V][1].type].call({...z,sliceSerialize:b[V][2].sliceSerialize},b[V][1]),b[V][0]==="exit"&&t.afterExit.length>0&&i(t.afterExit,{...z,sliceSerialize:b[V][2].sliceSerialize},b[V][1])}if(z.tokenStack.length>0){let ae=z.tokenStack[z.tokenStack.length-1];(ae[1]||Es).call(z,void 0,ae[0])}for(w.position={start:Ne(b.length>0?b[0][1].start:{line:1,column:1,offset:0}),end:Ne(b.length>0?b[b.length-2][1].end:{line:1,column:1,offset:0})},V=-1;++V<t.transforms.length;)w=t.transforms[V](w)||w;return w}function i(b,w,z){let L=-1;for(;++L<b.length;)b[L].call(w,z)}function s(b,w){let z=b.length-1,L=w-1,oe=-1,V=!1,ae,ge,gt,bt,kt=[];for(;++L<=z;){let ue=b[L];switch(ue[1].type){case"listUnordered":case"listOrdered":case"blockQuote":{ue[0]==="enter"?oe++:oe--,bt=void 0;break}case"lineEndingBlank":{ue[0]==="enter"&&(ae&&!bt&&!oe&&!gt&&(gt=L),bt=void 0);break}case"linePrefix":case"listItemValue":case"listItemMarker":case"listItemPrefix":case"listItemPrefixWhitespace":break;default:bt=void 0}if(!oe&&ue[0]==="enter"&&ue[1].type==="listItemPrefix"||oe===-1&&ue[0]==="exit"&&(ue[1].type==="listUnordered"||ue[1].type==="listOrdered")){if(ae){let rt=L;for(ge=void 0;rt--;){let $e=b[rt];if($e[1].type==="lineEnding"||$e[1].type==="lineEndingBlank"){if($e[0]==="exit")continue;ge&&(b[ge][1].type="lineEndingBlank",V=!0),$e[1].type="lineEnding",ge=rt}else if(!($e[1].type==="linePrefix"||$e[1].type==="blockQuotePrefix"||$e[1].type==="blockQuotePrefixWhitespace"||$e[1].type==="blockQuoteMarker"||$e[1].type==="listItemIndent"))break}gt&&(!ge||gt<ge)&&(ae._spread=!0),ae.end=Object.assign({},ge?b[ge][1].start:ue[1].end),kt.push({at:ge||L,event:["exit",ae,ue[2]]})}if(ue[1].type==="listItemPrefix"){let rt={type:"listItem",_spread:!1,start:Object.assign({},ue[1].start),end:void 0};ae=rt,kt.push({at:L,event:["enter",rt,ue[2]]}),gt=void 0,bt=!0}}}let li=b.splice(w),Qn=0;for(L=-1;++L<li.length;){for(;Qn<kt.length&&kt[Qn].at===w+L;)b.push(kt[Qn++].event);b.push(li[L])}b[w][1]._spread=V}function o(b,w){return z;function z(L){l.call(this,b(L),L),w&&w.call(this,L)}}function a(){this.stack.push({type:"fragment",children:[]})}function l(b,w,z){this.stack[this.stack.length-1].children.push(b),this.stack.push(b),this.tokenStack.push([w,z||void 0]),b.position={start:Ne(w.start),end:void 0}}function c(b){return w;function w(z){b&&b.call(this,z),u.call(this,z)}}function u(b,w){let z=this.stack.pop(),L=this.tokenStack.pop();if(!L)throw new Error("Cannot close `"+b.type+"` ("+ht({start:b.start,end:b.end})+"): it’s not open");L[0].type!==b.type&&(w?w.call(this,b,L[0]):(L[1]||Es).call(this,b,L[0])),z.position.end=Ne(b.end)}function d(){return mr(this.stack.pop())}function f(){this.data.expectingFirstListItemValue=!0}function h(b){if(this.data.expectingFirstListItemValue){let w=this.stack[this.stack.length-2];w.start=Number.parseInt(this.sliceSerialize(b),10),this.data.expectingFirstListItemValue=void 0}}function y(){let b=this.resume(),w=this.stack[this.stack.length-1];w.lang=b}function I(){let b=this.resume(),w=this.stack[this.stack.length-1];w.meta=b}function R(){this.data.flowCodeInside||(this.buffer(),this.data.flowCodeInside=!0)}function v(){let b=this.resume(),w=this.stack[this.stack.length-1];w.value=b.replace(/^(\r?\n|\r)|(\r?\n|\r)$/g,""),this.data.flowCodeInside=void 0}function U(){let b=this.resume(),w=this.stack[this.stack.length-1];w.value=b.replace(/(\r?\n|\r)$/g,"")}function T(b){let w=this.resume(),z=this.stack[this.stack.length-1];z.label=w,z.identifier=Ce(this.sliceSerialize(b)).toLowerCase()}function D(){let b=this.resume(),w=this.stack[this.stack.length-1];w.title=b}function N(){let b=this.resume(),w=this.stack[this.stack.length-1];w.url=b}function x(b){let w=this.stack[this.stack.length-1];if(!w.depth){let z=this.sliceSerialize(b).length;w.depth=z}}function q(){this.data.setextHeadingSlurpLineEnding=!0}function H(b){let w=this.stack[this.stack.length-1];w.depth=this.sliceSerialize(b).codePointAt(0)===61?1:2}function Q(){this.data.setextHeadingSlurpLineEnding=void 0}function g(b){let z=this.stack[this.stack.length-1].children,L=z[z.length-1];(!L||L.type!=="text")&&(L=Fo(),L.position={start:Ne(b.start),end:void 0},z.push(L)),this.stack.push(L)}function B(b){let w=this.stack.pop();w.value+=this.sliceSerialize(b),w.position.end=Ne(b.end)}function j(b){let w=this.stack[this.stack.length-1];if(this.data.atHardBreak){let z=w.children[w.children.length-1];z.position.end=Ne(b.end),this.data.atHardBreak=void 0;return}!this.data.setextHeadingSlurpLineEnding&&t.canContainEols.includes(w.type)&&(g.call(this,b),B.call(this,b))}function A(){this.data.atHardBreak=!0}function P(){let b=this.resume(),w=this.stack[this.stack.length-1];w.value=b}function M(){let b=this.resume(),w=this.stack[this.stack.length-1];w.value=b}function Y(){let b=this.resume(),w=this.stack[this.stack.length-1];w.value=b}function J(){let b=this.stack[this.stack.length-1];if(this.data.inReference){let w=this.data.referenceType||"shortcut";b.type+="Reference",b.referenceType=w,delete b.url,delete b.title}else delete b.identifier,delete b.label;this.data.referenceType=void 0}function pe(){let b=this.stack[this.stack.length-1];if(this.data.inReference){let w=this.data.referenceType||"shortcut";b.type+="Reference",b.referenceType=w,delete b.url,delete b.title}else delete b.identifier,delete b.label;this.data.referenceType=void 0}function fe(b){let w=this.sliceSerialize(b),z=this.stack[this.stack.length-2];z.label=_s(w),z.identifier=Ce(w).toLowerCase()}function p(){let b=this.stack[this.stack.length-1],w=this.resume(),z=this.stack[this.stack.length-1];if(this.data.inReference=!0,z.type==="link"){let L=b.children;z.children=L}else z.alt=w}function de(){let b=this.resume(),w=this.stack[this.stack.length-1];w.url=b}function we(){let b=this.resume(),w=this.stack[this.stack.length-1];w.title=b}function m(){this.data.inReference=void 0}function le(){this.data.referenceType="collapsed"}function tt(b){let w=this.resume(),z=this.stack[this.stack.length-1];z.label=w,z.identifier=Ce(this.sliceSerialize(b)).toLowerCase(),this.data.referenceType="full"}function Nt(b){this.data.characterReferenceType=b.type}function Ht(b){let w=this.sliceSerialize(b),z=this.data.characterReferenceType,L;z?(L=gn(w,z==="characterReferenceMarkerNumeric"?10:16),this.data.characterReferenceType=void 0):L=ut(w);let oe=this.stack[this.stack.length-1];oe.value+=L}function te(b){let w=this.stack.pop();w.position.end=Ne(b.end)}function ft(b){B.call(this,b);let w=this.stack[this.stack.length-1];w.url=this.sliceSerialize(b)}function ve(b){B.call(this,b);let w=this.stack[this.stack.length-1];w.url="mailto:"+this.sliceSerialize(b)}function nt(){return{type:"blockquote",children:[],position:void 0}}function He(){return{type:"code",lang:null,meta:null,value:"",position:void 0}}function Wn(){return{type:"inlineCode",value:"",position:void 0}}function Lo(){return{type:"definition",identifier:"",label:null,title:null,url:"",position:void 0}}function Mo(){return{type:"emphasis",children:[],position:void 0}}function ri(){return{type:"heading",depth:0,children:[],position:void 0}}function ii(){return{type:"break",position:void 0}}function si(){return{type:"html",value:"",position:void 0}}function Po(){return{type:"image",title:null,url:"",alt:null,position:void 0}}function oi(){return{type:"link",title:null,url:"",children:[],position:void 0}}function ai(b){return{type:"list",ordered:b.type==="listOrdered",start:null,spread:b._spread,children:[],position:void 0}}function Ro(b){return{type:"listItem",spread:b._spread,checked:null,children:[],position:void 0}}function Oo(){return{type:"paragraph",children:[],position:void 0}}function qo(){return{type:"strong",children:[],position:void 0}}function Fo(){return{type:"text",value:"",position:void 0}}function Do(){return{type:"thematicBreak",position:void 0}}}function Ne(e){return{line:e.line,column:e.column,offset:e.offset}}function Is(e,t){let n=-1;for(;++n<t.length;){let r=t[n];Array.isArray(r)?Is(e,r):Vl(e,r)}}function Vl(e,t){let n;for(n in t)if(Cs.call(t,n))switch(n){case"canContainEols":{let r=t[n];r&&e[n].push(...r);break}case"transforms":{let r=t[n];r&&e[n].push(...r);break}case"afterExit":case"beforeEnter":{let r=t[n];r&&e[n].push(r);break}case"enter":case"exit":{let r=t[n];r&&Object.assign(e[n],r);break}}}function Es(e,t){throw e?new Error("Cannot close `"+e.type+"` ("+ht({start:e.start,end:e.end})+"): a different token (`"+t.type+"`, "+ht({start:t.start,end:t.end})+") is open"):new Error("Cannot close document, a token (`"+t.type+"`, "+ht({start:t.start,end:t.end})+") is still open")}zs.attention=Yl;zs.peek=Jl;function Ir(){return{canContainEols:["delete"],enter:{strikethrough:Wl},exit:{strikethrough:Ql}}}function Wl(e){this.enter({type:"delete",children:[],position:void 0},e)}function Ql(e){this.exit(e)}function zs(e,t,n,r){let i=n.createTracker(r),s=n.stack.includes("strikethrough")?"~":"~~",o=n.enter("strikethrough"),a=i.move(s);return a+=n.containerPhrasing(e,{...i.current(),before:a,after:"~"}),a+=i.move(s),o(),a}function Yl(){return{construct:"strikethrough",markers:["~"],sizes:[2,1]}}function Jl(){return"~"}function Lr(){return{enter:{table:Kl,tableData:Ls,tableHeader:Ls,tableRow:Zl},exit:{codeText:Xl,table:Gl,tableData:zr,tableHeader:zr,tableRow:zr}}}function Kl(e){let t=e._align;this.enter({type:"table",align:t.map(function(n){return n==="none"?null:n}),children:[],position:void 0},e),this.data.inTable=!0}function Gl(e){this.exit(e),this.data.inTable=void 0}function Zl(e){this.enter({type:"tableRow",children:[],position:void 0},e)}function zr(e){this.exit(e)}function Ls(e){this.enter({type:"tableCell",children:[],position:void 0},e)}function Xl(e){let t=this.resume();this.data.inTable&&(t=t.replace(/\\([\\|])/g,eu));let n=this.stack[this.stack.length-1];n.type,n.value=t,this.exit(e)}function eu(e,t){return t==="|"?t:e}function Mr(){return{exit:{taskListCheckValueChecked:Ms,taskListCheckValueUnchecked:Ms,paragraph:tu}}}function Ms(e){let t=this.stack[this.stack.length-2];t.type,t.checked=e.type==="taskListCheckValueChecked"}function tu(e){let t=this.stack[this.stack.length-2];if(t&&t.type==="listItem"&&typeof t.checked=="boolean"){let n=this.stack[this.stack.length-1];n.type;let r=n.children[0];if(r&&r.type==="text"){let i=t.children,s=-1,o;for(;++s<i.length;){let a=i[s];if(a.type==="paragraph"){o=a;break}}o===n&&(r.value=r.value.slice(1),r.value.length===0?n.children.shift():n.position&&r.position&&typeof r.position.start.offset=="number"&&(r.position.start.column++,r.position.start.offset++,n.position.start={...r.position.start}))}}this.exit(e)}var nu={tokenize:au,partial:!0},Ps={tokenize:lu,partial:!0},Rs={tokenize:uu,partial:!0},Os={tokenize:cu,partial:!0},ru={tokenize:du,partial:!0},qs={name:"wwwAutolink",tokenize:su,previous:Ds},Fs={name:"protocolAutolink",tokenize:ou,previous:Bs},Le={name:"emailAutolink",tokenize:iu,previous:Ns},ye={};function Rr(){return{text:ye}}var Ge=48;for(;Ge<123;)ye[Ge]=Le,Ge++,Ge===58?Ge=65:Ge===91&&(Ge=97);ye[43]=Le;ye[45]=Le;ye[46]=Le;ye[95]=Le;ye[72]=[Le,Fs];ye[104]=[Le,Fs];ye[87]=[Le,qs];ye[119]=[Le,qs];function iu(e,t,n){let r=this,i,s;return o;function o(d){return!Pr(d)||!Ns.call(r,r.previous)||Or(r.events)?n(d):(e.enter("literalAutolink"),e.enter("literalAutolinkEmail"),a(d))}function a(d){return Pr(d)?(e.consume(d),a):d===64?(e.consume(d),l):n(d)}function l(d){return d===46?e.check(ru,u,c)(d):d===45||d===95||Z(d)?(s=!0,e.consume(d),l):u(d)}function c(d){return e.consume(d),i=!0,l}function u(d){return s&&i&&G(r.previous)?(e.exit("literalAutolinkEmail"),e.exit("literalAutolink"),t(d)):n(d)}}function su(e,t,n){let r=this;return i;function i(o){return o!==87&&o!==119||!Ds.call(r,r.previous)||Or(r.events)?n(o):(e.enter("literalAutolink"),e.enter("literalAutolinkWww"),e.check(nu,e.attempt(Ps,e.attempt(Rs,s),n),n)(o))}function s(o){return e.exit("literalAutolinkWww"),e.exit("literalAutolink"),t(o)}}function ou(e,t,n){let r=this,i="",s=!1;return o;function o(d){return(d===72||d===104)&&Bs.call(r,r.previous)&&!Or(r.events)?(e.enter("literalAutolink"),e.enter("literalAutolinkHttp"),i+=String.fromCodePoint(d),e.consume(d),a):n(d)}function a(d){if(G(d)&&i.length<5)return i+=String.fromCodePoint(d),e.consume(d),a;if(d===58){let f=i.toLowerCase();if(f==="http"||f==="https")return e.consume(d),l}return n(d)}function l(d){return d===47?(e.consume(d),s?c:(s=!0,l)):n(d)}function c(d){return d===null||Ye(d)||F(d)||Oe(d)||It(d)?n(d):e.attempt(Ps,e.attempt(Rs,u),n)(d)}function u(d){return e.exit("literalAutolinkHttp"),e.exit("literalAutolink"),t(d)}}function au(e,t,n){let r=0;return i;function i(o){return(o===87||o===119)&&r<3?(r++,e.consume(o),i):o===46&&r===3?(e.consume(o),s):n(o)}function s(o){return o===null?n(o):t(o)}}function lu(e,t,n){let r,i,s;return o;function o(c){return c===46||c===95?e.check(Os,l,a)(c):c===null||F(c)||Oe(c)||c!==45&&It(c)?l(c):(s=!0,e.consume(c),o)}function a(c){return c===95?r=!0:(i=r,r=void 0),e.consume(c),o}function l(c){return i||r||!s?n(c):t(c)}}function uu(e,t){let n=0,r=0;return i;function i(o){return o===40?(n++,e.consume(o),i):o===41&&r<n?s(o):o===33||o===34||o===38||o===39||o===41||o===42||o===44||o===46||o===58||o===59||o===60||o===63||o===93||o===95||o===126?e.check(Os,t,s)(o):o===null||F(o)||Oe(o)?t(o):(e.consume(o),i)}function s(o){return o===41&&r++,e.consume(o),i}}function cu(e,t,n){return r;function r(a){return a===33||a===34||a===39||a===41||a===42||a===44||a===46||a===58||a===59||a===63||a===95||a===126?(e.consume(a),r):a===38?(e.consume(a),s):a===93?(e.consume(a),i):a===60||a===null||F(a)||Oe(a)?t(a):n(a)}function i(a){return a===null||a===40||a===91||F(a)||Oe(a)?t(a):r(a)}function s(a){return G(a)?o(a):n(a)}function o(a){return a===59?(e.consume(a),r):G(a)?(e.consume(a),o):n(a)}}function du(e,t,n){return r;function r(s){return e.consume(s),i}function i(s){return Z(s)?n(s):t(s)}}function Ds(e){return e===null||e===40||e===42||e===95||e===91||e===93||e===126||F(e)}function Bs(e){return!G(e)}function Ns(e){return!(e===47||Pr(e))}function Pr(e){return e===43||e===45||e===46||e===95||Z(e)}function Or(e){let t=e.length,n=!1;for(;t--;){let r=e[t][1];if((r.type==="labelLink"||r.type==="labelImage")&&!r._balanced){n=!0;break}if(r._gfmAutolinkLiteralWalkedInto){n=!1;break}}return e.length>0&&!n&&(e[e.length-1][1]._gfmAutolinkLiteralWalkedInto=!0),n}function qr(e){let n=(e||{}).singleTilde,r={name:"strikethrough",tokenize:s,resolveAll:i};return n==null&&(n=!0),{text:{126:r},insideSpan:{null:[r]},attentionMarkers:{null:[126]}};function i(o,a){let l=-1;for(;++l<o.length;)if(o[l][0]==="enter"&&o[l][1].type==="strikethroughSequenceTemporary"&&o[l][1]._close){let c=l;for(;c--;)if(o[c][0]==="exit"&&o[c][1].type==="strikethroughSequenceTemporary"&&o[c][1]._open&&o[l][1].end.offset-o[l][1].start.offset===o[c][1].end.offset-o[c][1].start.offset){o[l][1].type="strikethroughSequence",o[c][1].type="strikethroughSequence";let u={type:"strikethrough",start:Object.assign({},o[c][1].start),end:Object.assign({},o[l][1].end)},d={type:"strikethroughText",start:Object.assign({},o[c][1].end),end:Object.assign({},o[l][1].start)},f=[["enter",u,a],["enter",o[c][1],a],["exit",o[c][1],a],["enter",d,a]],h=a.parser.constructs.insideSpan.null;h&&X(f,f.length,0,Fe(h,o.slice(c+1,l),a)),X(f,f.length,0,[["exit",d,a],["enter",o[l][1],a],["exit",o[l][1],a],["exit",u,a]]),X(o,c-1,l-c+3,f),l=c+f.length-2;break}}for(l=-1;++l<o.length;)o[l][1].type==="strikethroughSequenceTemporary"&&(o[l][1].type="data");return o}function s(o,a,l){let c=this.previous,u=this.events,d=0;return f;function f(y){return c===126&&u[u.length-1][1].type!=="characterEscape"?l(y):(o.enter("strikethroughSequenceTemporary"),h(y))}function h(y){let I=ct(c);if(y===126)return d>1?l(y):(o.consume(y),d++,h);if(d<2&&!n)return l(y);let R=o.exit("strikethroughSequenceTemporary"),v=ct(y);return R._open=!v||v===2&&!!I,R._close=!I||I===2&&!!v,a(y)}}}var Tn=class{constructor(){this.map=[],this.index=new Map}add(t,n,r){hu(this,t,n,r)}consume(t){if(this.map.sort(function(s,o){return s[0]-o[0]}),this.map.length===0)return;let n=this.map.length,r=[];for(;n>0;)n-=1,r.push(t.slice(this.map[n][0]+this.map[n][1]),this.map[n][2]),t.length=this.map[n][0];r.push(t.slice()),t.length=0;let i=r.pop();for(;i;){for(let s of i)t.push(s);i=r.pop()}this.map.length=0,this.index.clear()}};function hu(e,t,n,r){if(n===0&&r.length===0)return;let i=e.index.get(t);if(i){i[1]+=n,i[2].push(...r);return}let s=[t,n,r];e.map.push(s),e.index.set(t,s)}function Hs(e,t){let n=!1,r=[];for(;t<e.length;){let i=e[t];if(n){if(i[0]==="enter")i[1].type==="tableContent"&&r.push(e[t+1][1].type==="tableDelimiterMarker"?"left":"none");else if(i[1].type==="tableContent"){if(e[t-1][1].type==="tableDelimiterMarker"){let s=r.length-1;r[s]=r[s]==="left"?"center":"right"}}else if(i[1].type==="tableDelimiterRow")break}else i[0]==="enter"&&i[1].type==="tableDelimiterRow"&&(n=!0);t+=1}return r}function Fr(){return{flow:{null:{name:"table",tokenize:pu,resolveAll:mu}}}}function pu(e,t,n){let r=this,i=0,s=0,o;return a;function a(g){let B=r.events.length-1;for(;B>-1;){let{type:P}=r.events[B][1];if(P==="lineEnding"||P==="linePrefix")B--;else break}let j=B>-1?r.events[B][1].type:null,A=j==="tableHead"||j==="tableRow"?x:l;return A===x&&r.parser.lazy[r.now().line]?n(g):A(g)}function l(g){return e.enter("tableHead"),e.enter("tableRow"),c(g)}function c(g){return g===124||(o=!0,s+=1),u(g)}function u(g){return g===null?n(g):S(g)?s>1?(s=0,r.interrupt=!0,e.exit("tableRow"),e.enter("lineEnding"),e.consume(g),e.exit("lineEnding"),h):n(g):E(g)?C(e,u,"whitespace")(g):(s+=1,o&&(o=!1,i+=1),g===124?(e.enter("tableCellDivider"),e.consume(g),e.exit("tableCellDivider"),o=!0,u):(e.enter("data"),d(g)))}function d(g){return g===null||g===124||F(g)?(e.exit("data"),u(g)):(e.consume(g),g===92?f:d)}function f(g){return g===92||g===124?(e.consume(g),d):d(g)}function h(g){return r.interrupt=!1,r.parser.lazy[r.now().line]?n(g):(e.enter("tableDelimiterRow"),o=!1,E(g)?C(e,y,"linePrefix",r.parser.constructs.disable.null.includes("codeIndented")?void 0:4)(g):y(g))}function y(g){return g===45||g===58?R(g):g===124?(o=!0,e.enter("tableCellDivider"),e.consume(g),e.exit("tableCellDivider"),I):N(g)}function I(g){return E(g)?C(e,R,"whitespace")(g):R(g)}function R(g){return g===58?(s+=1,o=!0,e.enter("tableDelimiterMarker"),e.consume(g),e.exit("tableDelimiterMarker"),v):g===45?(s+=1,v(g)):g===null||S(g)?D(g):N(g)}function v(g){return g===45?(e.enter("tableDelimiterFiller"),U(g)):N(g)}function U(g){return g===45?(e.consume(g),U):g===58?(o=!0,e.exit("tableDelimiterFiller"),e.enter("tableDelimiterMarker"),e.consume(g),e.exit("tableDelimiterMarker"),T):(e.exit("tableDelimiterFiller"),T(g))}function T(g){return E(g)?C(e,D,"whitespace")(g):D(g)}function D(g){return g===124?y(g):g===null||S(g)?!o||i!==s?N(g):(e.exit("tableDelimiterRow"),e.exit("tableHead"),t(g)):N(g)}function N(g){return n(g)}function x(g){return e.enter("tableRow"),q(g)}function q(g){return g===124?(e.enter("tableCellDivider"),e.consume(g),e.exit("tableCellDivider"),q):g===null||S(g)?(e.exit("tableRow"),t(g)):E(g)?C(e,q,"whitespace")(g):(e.enter("data"),H(g))}function H(g){return g===null||g===124||F(g)?(e.exit("data"),q(g)):(e.consume(g),g===92?Q:H)}function Q(g){return g===92||g===124?(e.consume(g),H):H(g)}}function mu(e,t){let n=-1,r=!0,i=0,s=[0,0,0,0],o=[0,0,0,0],a=!1,l=0,c,u,d,f=new Tn;for(;++n<e.length;){let h=e[n],y=h[1];h[0]==="enter"?y.type==="tableHead"?(a=!1,l!==0&&(js(f,t,l,c,u),u=void 0,l=0),c={type:"table",start:Object.assign({},y.start),end:Object.assign({},y.end)},f.add(n,0,[["enter",c,t]])):y.type==="tableRow"||y.type==="tableDelimiterRow"?(r=!0,d=void 0,s=[0,0,0,0],o=[0,n+1,0,0],a&&(a=!1,u={type:"tableBody",start:Object.assign({},y.start),end:Object.assign({},y.end)},f.add(n,0,[["enter",u,t]])),i=y.type==="tableDelimiterRow"?2:u?3:1):i&&(y.type==="data"||y.type==="tableDelimiterMarker"||y.type==="tableDelimiterFiller")?(r=!1,o[2]===0&&(s[1]!==0&&(o[0]=o[1],d=An(f,t,s,i,void 0,d),s=[0,0,0,0]),o[2]=n)):y.type==="tableCellDivider"&&(r?r=!1:(s[1]!==0&&(o[0]=o[1],d=An(f,t,s,i,void 0,d)),s=o,o=[s[1],n,0,0])):y.type==="tableHead"?(a=!0,l=n):y.type==="tableRow"||y.type==="tableDelimiterRow"?(l=n,s[1]!==0?(o[0]=o[1],d=An(f,t,s,i,n,d)):o[1]!==0&&(d=An(f,t,o,i,n,d)),i=0):i&&(y.type==="data"||y.type==="tableDelimiterMarker"||y.type==="tableDelimiterFiller")&&(o[3]=n)}for(l!==0&&js(f,t,l,c,u),f.consume(t.events),n=-1;++n<t.events.length;){let h=t.events[n];h[0]==="enter"&&h[1].type==="table"&&(h[1]._align=Hs(t.events,n))}return e}function An(e,t,n,r,i,s){let o=r===1?"tableHeader":r===2?"tableDelimiter":"tableData",a="tableContent";n[0]!==0&&(s.end=Object.assign({},pt(t.events,n[0])),e.add(n[0],0,[["exit",s,t]]));let l=pt(t.events,n[1]);if(s={type:o,start:Object.assign({},l),end:Object.assign({},l)},e.add(n[1],0,[["enter",s,t]]),n[2]!==0){let c=pt(t.events,n[2]),u=pt(t.events,n[3]),d={type:a,start:Object.assign({},c),end:Object.assign({},u)};if(e.add(n[2],0,[["enter",d,t]]),r!==2){let f=t.events[n[2]],h=t.events[n[3]];if(f[1].end=Object.assign({},h[1].end),f[1].type="chunkText",f[1].contentType="text",n[3]>n[2]+1){let y=n[2]+1,I=n[3]-n[2]-1;e.add(y,I,[])}}e.add(n[3]+1,0,[["exit",d,t]])}return i!==void 0&&(s.end=Object.assign({},pt(t.events,i)),e.add(i,0,[["exit",s,t]]),s=void 0),s}function js(e,t,n,r,i){let s=[],o=pt(t.events,n);i&&(i.end=Object.assign({},o),s.push(["exit",i,t])),r.end=Object.assign({},o),s.push(["exit",r,t]),e.add(n+1,0,s)}function pt(e,t){let n=e[t],r=n[0]==="enter"?"start":"end";return n[1][r]}var fu={name:"tasklistCheck",tokenize:gu};function Dr(){return{text:{91:fu}}}function gu(e,t,n){let r=this;return i;function i(l){return r.previous!==null||!r._gfmTasklistFirstContentOfListItem?n(l):(e.enter("taskListCheck"),e.enter("taskListCheckMarker"),e.consume(l),e.exit("taskListCheckMarker"),s)}function s(l){return F(l)?(e.enter("taskListCheckValueUnchecked"),e.consume(l),e.exit("taskListCheckValueUnchecked"),o):l===88||l===120?(e.enter("taskListCheckValueChecked"),e.consume(l),e.exit("taskListCheckValueChecked"),o):n(l)}function o(l){return l===93?(e.enter("taskListCheckMarker"),e.consume(l),e.exit("taskListCheckMarker"),e.exit("taskListCheck"),a):n(l)}function a(l){return S(l)?t(l):E(l)?e.check({tokenize:bu},t,n)(l):n(l)}}function bu(e,t,n){return C(e,r,"whitespace");function r(i){return i===null?n(i):t(i)}}var ku=64,xu=1e3,Us=2e3,yu={marks:0},Vs=new WeakMap;function Ze(e){return{...e,name:`counted-${e.name}`,tokenize(t,n,r){let i=Vs.get(this)??0;return Vs.set(this,i+1),i>=xu?r:(yu.marks++,e.tokenize.call(this,t,n,r))}}}function Ws(e){return Object.fromEntries(Object.entries(e??{}).map(([t,n])=>[t,[n??[]].flat().map(Ze)]))}for(let e of[dt,ee]){let{tokenize:t}=e;e.tokenize=function(n,r,i){return this.now().column>ku?i:t.call(this,n,r,i)}}var Qs=qr({singleTilde:!1}),Ks=[{disable:{null:["attention","autolink","codeText","definition","emailAutolink","htmlFlow","htmlText","labelEnd","labelStartImage","labelStartLink"]}},{text:{42:Ze(De),60:Ze(zt),91:Ze(Ot),93:Ze(ze),95:Ze(De),96:Ze(Pt)}},{...Qs,text:Ws(Qs.text)},{text:Ws({72:En(72),87:En(87),104:En(104),119:En(119)})},Dr()];function En(e){return[Rr().text?.[e]??[]].flat().filter(t=>t.name!=="emailAutolink")}var wu={enter:{literalAutolink(e){this.enter({type:"link",title:null,url:"",children:[]},e)},literalAutolinkHttp:Ys,literalAutolinkWww:Ys},exit:{literalAutolink(e){this.exit(e)},literalAutolinkHttp(e){Js(this,e,"")},literalAutolinkWww(e){Js(this,e,"http://")}}};function Ys(e){this.config.enter.data.call(this,e)}function Js(e,t,n){e.config.exit.data.call(e,t);let r=e.stack.at(-1);r?.type==="link"&&(r.url=n+e.sliceSerialize(t))}var Gs={extensions:Ks,mdastExtensions:[wu,Ir(),Mr()]},vu={extensions:[...Ks,Fr()],mdastExtensions:[...Gs.mdastExtensions,Lr()]};function Zs(e){return Cr(e,e.split("|",Us+2).length>Us+1?Gs:vu)}var Xs=40;function eo(e){let t=new Br(e);return Zs(e).children.map(n=>({block:t.block(n,0),from:e.lastIndexOf(`
`,(n.position?.start.offset??0)-1)+1}))}var Br=class{constructor(t){this.source=t}source;block(t,n){if(n>Xs)return{kind:"paragraph",content:Xe(this.#o(t))};switch(t.type){case"paragraph":return{kind:"paragraph",content:this.#r(t,n)};case"heading":return{kind:"heading",level:t.depth,content:this.#r(t,n)};case"blockquote":return{kind:"quote",blocks:t.children.map(r=>this.block(r,n+1))};case"code":return{kind:"code",text:t.value,language:t.lang??""};case"list":return this.#e(t,n);case"table":return this.#n(t,n);case"thematicBreak":return{kind:"rule"}}return{kind:"paragraph",content:Xe(this.#o(t))}}#e(t,n){return{kind:"list",start:t.ordered?t.start??1:void 0,items:t.children.map(i=>this.#t(i,n+1))}}#t(t,n){let[r,...i]=t.children,s=r?.type==="paragraph"?r:void 0;return{...typeof t.checked=="boolean"&&{checked:t.checked},content:s?this.#r(s,n):[],blocks:(s?i:t.children).map(o=>this.block(o,n))}}#n(t,n){let r=t.children.map(i=>i.children.map(s=>this.#r(s,n)));return{kind:"table",align:(t.align??[]).map(i=>i??null),rows:r}}#r(t,n){let r=[];for(let i of t.children)i.type==="link"&&this.#s(i)&&$u(r),r.push(...this.#i(i,n+1));return r}#i(t,n){if(n>Xs)return Xe(this.#o(t));switch(t.type){case"text":return Xe(t.value);case"inlineCode":return[{kind:"code",text:t.value}];case"strong":return[{kind:"strong",content:this.#r(t,n)}];case"emphasis":return[{kind:"emphasis",content:this.#r(t,n)}];case"delete":return[{kind:"deleted",content:this.#r(t,n)}];case"break":return[{kind:"break"}];case"link":return[Su(t.url,this.#r(t,n))??{kind:"text",text:this.#o(t)}]}return Xe(this.#o(t))}#s(t){let n=t.position?.start.offset??0;if(this.source[n]!=="["||this.source[n-1]!=="!")return!1;let r=0;for(;this.source[n-2-r]==="\\";)r++;return r%2===0}#o(t){return this.source.slice(t.position?.start.offset,t.position?.end.offset)}};function Xe(e){return e.split(`
`).flatMap((t,n)=>[...n>0?[{kind:"break"}]:[],...t===""?[]:[{kind:"text",text:t}]])}function $u(e){let t=e.at(-1);t?.kind!=="text"||!t.text.endsWith("!")||(e.pop(),t.text.length>1&&e.push({kind:"text",text:t.text.slice(0,-1)}))}function Su(e,t){let n=dr(e);if(n===void 0)return;let r=to(t).trim(),i=/^(https?:|www\.)/i.test(r)?dr(r.replace(/^www/i,"https://www")):n,s=r!==""&&i!==void 0&&new URL(i).host===new URL(n).host;return{kind:"link",href:n,content:s?t:[{kind:"text",text:n}]}}function to(e){return e.map(t=>"text"in t?t.text:"content"in t?to(t.content):" ").join("")}var Nr=4096,no=4*Nr,_u=2048,ro=32,Cn=class{#e="";#t=0;#n=0;#r;#i=[];#s=[];take(t,n){return t.length<this.#n&&this.#o(),this.#e=t,(n||this.#h())&&this.#u(),[...this.#i,this.#m()]}#o(){this.#t=this.#n=0,this.#r=void 0,this.#i=[],this.#s=[]}#h(){let t=this.#n-this.#t;return this.#r!==void 0||t<=_u||this.#e.length-this.#n>t/16}#u(){let t=Nr;for(;t<Math.min(this.#n-this.#t,no);)t*=2;for(;;){if(this.#d(),this.#r||this.#p()){if(!this.#k())return;continue}let n=this.#b(t),r=eo(n),i=this.#t+n.length;if(i===this.#e.length)return this.#a(r,n);if(r.length>1)this.#c(r.slice(0,-1),this.#t+r.at(-1).from);else if(t<no){t*=2;continue}else this.#c(r,i);t=Nr}}#d(){let t=/(?:[ \t\r]*\n)*/y;t.lastIndex=this.#t,t.exec(this.#e),this.#t=Math.max(t.lastIndex,this.#t)}#b(t){let n=this.#e.slice(this.#t,this.#t+t);return this.#t+t>=this.#e.length?n:n.slice(0,n.lastIndexOf(`
`)+1||void 0)}#p(){return this.#r=ns(this.#e,this.#t),this.#r!==void 0}#k(){let t=this.#r,n=t.take(this.#e);return this.#n=this.#e.length,n===void 0?!1:(this.#r=void 0,this.#c([{block:t.block(),from:0}],n),!0)}#c(t,n){for(let{block:r}of t)(this.#i.at(-1)?.length??ro)>=ro&&this.#i.push([]),this.#i.push([...this.#i.pop(),r]);this.#s=[],this.#t=this.#n=n}#a(t,n){let r=t.at(-1),i=t.length>1&&!n.includes(`
`,r.from)?2:1,s=this.#t+n.length,o=t.slice(-i);o.length>0&&this.#c(t.slice(0,-i),this.#t+o[0].from),this.#s=o.map(({block:a})=>a),this.#n=s}#m(){if(this.#r)return[this.#r.block()];let t=this.#e.slice(this.#n);return t===""?this.#s:Hr(this.#s,t)}};function Hr(e,t){let n=e.at(-1),[r,i]=[e.slice(0,-1),Xe(t)];switch(n?.kind){case"paragraph":case"heading":return[...r,{...n,content:[...n.content,...i]}];case"quote":return[...r,{...n,blocks:Hr(n.blocks,t)}];case"code":return[...r,{...n,text:n.text+t}];case"list":{let s=n.items.at(-1)??{content:[],blocks:[]},o=s.blocks.length>0?{...s,blocks:Hr(s.blocks,t)}:{...s,content:[...s.content,...i]};return[...r,{...n,items:[...n.items.slice(0,-1),o]}]}}return[...e,{kind:"paragraph",content:i}]}var io=new WeakMap;function oo(e,t){let n=io.get(e)??new Cn;return io.set(e,n),k`${n.take(e.text,!e.open).map(r=>fn([r],()=>r.map(i=>jr(i,t))))}`}function jr(e,t){switch(e.kind){case"paragraph":return k`<p>${e.content.map(Me)}</p>`;case"heading":return k`<p class="heading level-${e.level}">${e.content.map(Me)}</p>`;case"quote":return k`<blockquote>${e.blocks.map(n=>jr(n,t))}</blockquote>`;case"code":return Tu(e.text,e.language,t);case"rule":return k`<hr />`;case"list":return e.start===void 0?k`<ul>${e.items.map(n=>so(n,t))}</ul>`:k`<ol start=${e.start}>${e.items.map(n=>so(n,t))}</ol>`;case"table":return Au(e.align,e.rows)}}function Tu(e,t,n){return k`<div class="code">
    <div class="bar">
      <span class="language">${K(t.slice(0,24))}</span>
      <button type="button" class="quiet copy">
        ${O.copy}<span class="before">${n("copyCode")}</span><span class="after">${n("copied")}</span></button>
    </div>
    <pre tabindex="0" role="region" aria-label=${K(t.slice(0,24))||"code"}><code>${e}</code></pre>
  </div>`}function so({checked:e,content:t,blocks:n},r){let i=e===void 0?$:k`<span class="box" aria-hidden="true">${e?"☑":"☐"}</span><span class="hidden">${r(e?"taskDone":"taskOpen")}</span>`;return k`<li class=${e===void 0?"":"task"}>${i}${t.map(Me)}${n.map(s=>jr(s,r))}</li>`}function Au(e,[t=[],...n]){let r=i=>e[i]??"";return k`<div class="table" tabindex="0"><table>
    <thead><tr>${t.map((i,s)=>k`<th scope="col" class=${r(s)}>${i.map(Me)}</th>`)}</tr></thead>
    <tbody>${n.map(i=>k`<tr>${i.map((s,o)=>k`<td class=${r(o)}>${s.map(Me)}</td>`)}</tr>`)}</tbody>
  </table></div>`}function Me(e){switch(e.kind){case"text":return e.text;case"code":return k`<code>${e.text}</code>`;case"strong":return k`<strong>${e.content.map(Me)}</strong>`;case"emphasis":return k`<em>${e.content.map(Me)}</em>`;case"deleted":return k`<del>${e.content.map(Me)}</del>`;case"link":return k`<a href=${e.href} title=${e.href} target="_blank" rel="noopener noreferrer nofollow">${e.content.map(Me)}</a>`;case"break":return k`<br />`}}function Ft(e){return or(e).map(t=>t.kind===void 0?t.text:k`<bdi dir=${t.kind==="phrase"?"rtl":"ltr"}>${t.text}</bdi>`)}var Vr=3,Eu={writing:"toolWriting",running:"toolRunning",asking:"toolAsking",done:"toolDone",failed:"toolFailed",denied:"toolDenied"};function ao(e){let t=[],n=[],r=()=>{n.length>Vr?t.push({kind:"tools",id:n[0].id,calls:n}):t.push(...n),n=[]};for(let i of e)i.kind==="tool"?n.push(i):(i.kind!=="text"||/\S/.test(i.text))&&(r(),t.push(i));return r(),t}function lo(e){let t=e.name.indexOf("__"),[n,r]=t>0&&t+2<e.name.length?[e.name.slice(0,t),e.name.slice(t+2)]:["",e.name];return{tool:e.title?.trim()||r,service:e.serviceTitle?.trim()||e.service||n}}function Wr(e,t){let{tool:n,service:r}=lo(e);return k`<details class="tool ${e.state}" aria-live="off">
    <summary>
      ${O.tool}<span class="name"><bdi>${K(n)||t("tool")}</bdi>${r?k` <bdi class="service">${K(r)}</bdi>`:$}</span>
      ${co(e.state,t(Eu[e.state]))}
      <span class="chevron">${O.chevron}</span>
    </summary>
    <div class="call">
      ${e.name&&n!==e.name?k`<p class="caption"><code>${K(e.name)}</code></p>`:$}
      ${e.input===void 0?$:Ur(t("toolInput"),e.input)}
      ${e.output===void 0?$:Ur(t("toolOutput"),e.output)}
      ${e.error===void 0?$:Ur(t("toolError"),e.error)}
    </div>
  </details>`}function uo(e,t){let n=(...l)=>e.filter(c=>l.includes(c.state)).length,r=[...new Set(e.map(l=>K(lo(l).tool)))],i=n("failed","denied"),s=()=>n("asking")>0?["asking",t("toolAsking")]:n("running","writing")>0?["running",t("toolRunning")]:i>0?["failed",t("toolsFailed",{n:i})]:["done",t("toolsDone")],[o,a]=s();return k`<details class="tool tools ${o}" aria-live="off">
    <summary>
      ${O.tool}<span class="name">${t("toolCalls",{n:e.length})}
        <bdi class="service">${r.slice(0,Vr).join(", ")}${r.length>Vr?"…":""}</bdi></span>
      ${co(o,a)}
      <span class="chevron">${O.chevron}</span>
    </summary>
    <div class="folded">${e.map(l=>Wr(l,t))}</div>
  </details>`}function co(e,t){let n=e==="writing"||e==="running",r=e==="done"?O.done:e==="failed"||e==="denied"?O.no:O.clock;return k`<span class="state">${n?k`<span class="spinner"></span>`:r}${t}</span>`}var Ur=(e,t)=>k`<p class="caption">${e}</p>
    <pre tabindex="0" role="region" aria-label=${e}>${fn([t],()=>Ft(Di(t)))}</pre>`;function ho(e){let{message:t,say:n}=e;return t.role==="user"?Iu(t,n):k`<div class="message assistant">
    <span class="hidden">${n("assistant")}:</span>
    ${en(ao(Cu(t.parts)),(r,i)=>r.kind==="text"?`text ${i}`:`${r.kind} ${r.id}`,r=>zu(r,e))}
    ${Pu(e)}
  </div>`}function Cu(e){let t=e.flatMap(i=>i.kind==="question"&&!i.question.outcome?[i.question.context]:[]),n=new Set(t.flatMap(i=>[i.toolCallId,i.parentToolCallId])),r=new Set(["done","failed","denied"]);return e.map(i=>i.kind==="tool"&&n.has(i.id)&&!r.has(i.state)?{...i,state:"asking"}:i)}function Iu(e,t){let n=e.parts.map(r=>r.kind==="text"?r.text:"").join(`
`);return k`<div class="message user ${e.status??""}">
    <span class="hidden">${t("you")}:</span>
    <div class="bubble" dir="auto">${n}</div>
    ${e.status==="failed"?k`<span class="unsent">${t("unsent")}</span>`:$}
  </div>`}function zu(e,t){let{say:n}=t;switch(e.kind){case"text":return k`<div class="text" dir="auto">${oo(e,n)}</div>`;case"tool":return Wr(e,n);case"tools":return uo(e.calls,n);case"question":return t.question(e.question);case"notice":return Lu(e.text,e.link,n);case"mark":return Mu(e,t)}}function Lu(e,t,n){let r=t===void 0?void 0:cr(t);return k`<p class="notice" dir="auto">${O.warning}<span>${me(e)}
    ${r?k` <a href=${r} target="_blank" rel="noopener noreferrer">${n("connectLink")}</a>`:$}</span></p>`}function Mu({how:e,text:t,code:n},{say:r,again:i,another:s,fresh:o}){let a=e==="stopped"?r("turnStopped"):xe(t)||r("turnFailed"),l=s&&n===Bi;return k`<div class="mark ${e}" role=${o?"alert":$}>
    ${e==="stopped"?O.stop:O.warning}<span>${a}</span>
    ${i&&!l?k`<button type="button" @click=${i}>${r("retry")}</button>`:$}
    ${l?k`<button type="button" @click=${s}>${r("newConversation")}</button>`:$}
  </div>`}function Pu({message:e,say:t,whole:n,again:r,copy:i}){let s=e.parts.flatMap(a=>a.kind==="text"&&/\S/.test(a.text)?[a.text.trim()]:[]).join(`

`),o=e.parts.some(a=>a.kind==="mark");return!n||s===""&&(!r||o)?$:k`<div class="actions">
    ${s===""?$:k`<button type="button" class="quiet" @click=${a=>i(s,a.currentTarget)}>
          ${O.copy}<span class="before">${t("copyAnswer")}</span><span class="after">${t("copied")}</span></button>`}
    ${r&&!o?k`<button type="button" class="quiet" @click=${r}>${O.again}<span>${t("again")}</span></button>`:$}
  </div>`}var In=class{constructor(t,n){this.host=t;this.log=n;t.addController(this)}host;log;atEnd=!0;#e=new ResizeObserver(()=>{this.follow(),this.#o(120)});#t;#n=0;#r;follow(){let t=this.log();t&&(this.#i(t),this.atEnd&&(t.scrollTop=t.scrollHeight))}toEnd(){this.atEnd=!0,this.follow(),this.host.requestUpdate()}reveal(t){let n=this.log();if(!n)return;let r=t.getBoundingClientRect().top-n.getBoundingClientRect().top+n.scrollTop;if(r>=n.scrollHeight-n.clientHeight)return this.toEnd();this.atEnd=!1,n.scrollTop=r-12,this.host.requestUpdate()}sees(t){let n=this.log();if(!n||!t)return!0;let r=n.getBoundingClientRect(),{top:i,bottom:s}=t.getBoundingClientRect();return s>r.top+48&&i<r.bottom-48}hostDisconnected(){clearTimeout(this.#r),this.#e.disconnect(),this.#t?.removeEventListener("scroll",this.#s),this.#t=void 0}#i(t){this.#t!==t&&(this.hostDisconnected(),this.#t=t,t.addEventListener("scroll",this.#s,{passive:!0}),this.#e.observe(t),t.firstElementChild&&this.#e.observe(t.firstElementChild))}#s=()=>{let t=this.log();if(!t)return;let n=this.atEnd;t.scrollHeight-t.scrollTop-t.clientHeight<48?this.atEnd=!0:t.scrollTop<this.#n&&(this.atEnd=!1),this.#n=t.scrollTop,this.#o(n===this.atEnd?120:0)};#o(t){clearTimeout(this.#r),this.#r=setTimeout(()=>this.host.requestUpdate(),t)}};var zn=class{#e;constructor(t,n){this.#e=`parley:conversation:${t}:${n??""}`}recall(){let t=po(()=>sessionStorage.getItem(this.#e));if(typeof t=="string")return{id:t};if(Array.isArray(t)&&typeof t[0]=="string")return{id:t[0],account:typeof t[1]=="string"?t[1]:void 0};let[n]=this.#t();return n&&{id:n[1],account:n[0]}}keep({id:t,account:n},r){Qr(()=>sessionStorage.setItem(this.#e,JSON.stringify([t,n]))),r&&n!==void 0&&this.#n([[n,t],...this.#t().filter(([i])=>i!==n)])}of(t){return this.#t().find(([n])=>n===t)?.[1]}forget(t){Qr(()=>sessionStorage.removeItem(this.#e)),this.#n(this.#t().filter(([n])=>n!==t))}#t(){let t=po(()=>localStorage.getItem(this.#e));return Array.isArray(t)?t.flatMap(n=>Array.isArray(n)&&typeof n[0]=="string"&&typeof n[1]=="string"?[[n[0],n[1]]]:[]):[]}#n(t){Qr(()=>localStorage.setItem(this.#e,JSON.stringify(t.slice(0,8))))}};function po(e){let t=null;try{return t=e(),t===null?void 0:JSON.parse(t)}catch{return t??void 0}}function Qr(e){try{e()}catch{}}var Ln=e=>t=>t.n===1?`1 ${e}`:`${t.n} ${e}s`,mo=Ln("character"),fo=Ln("choice"),Ru=e=>e<60?Ln("second")({n:e}):Ln("minute")({n:e/60}),go={log:"Conversation",you:"You",assistant:"Assistant",placeholder:"Write a message",send:"Send",stop:"Stop",newConversation:"New conversation",empty:"Ask something to begin.",loading:"Loading the conversation…",thinking:"Working…",copyAnswer:"Copy answer",copyCode:"Copy code",copied:"Copied",again:"Ask again",turnFailed:"This answer failed.",turnStopped:"You stopped this answer.",taskDone:"done:",taskOpen:"to do:",stopped:"You stopped watching this answer. What was begun may go on.",resume:"Show the rest",waiting:e=>e.n===1?"A question waits for you":`${e.n} questions wait for you`,latest:"Latest message",unsent:"Not sent",lost:"The connection was lost. Trying again…",tryNow:"Try now",retry:"Try again",unreachable:"The server could not be reached. Check your connection and try again.",signedOut:"You are not signed in, or no longer. Sign in and try again.",forbidden:"You may not do this. Ask whoever runs this site for access.",tooMany:"That was too much at once. Wait a moment and try again.",failed:"Something went wrong at the server. Try again.",connectLink:"Connect",tool:"Tool",toolCalls:"{n} tool calls",toolsDone:"all done",toolsFailed:"{n} failed",toolWriting:"preparing",toolRunning:"running",toolAsking:"waits for you",toolDone:"done",toolFailed:"failed",toolDenied:"denied",toolInput:"Input",toolOutput:"Result",toolError:"Error",connectTitle:"Connect {service}",visitTitle:"{service} asks you to open a page",approvalTitle:"{service} needs your approval",formTitle:"{service} asks you",someone:"A service without a name",says:"{service} says:",account:"You answer as",toolLabel:"Tool",arguments:"Arguments",argumentLines:"Arguments, {n} lines",noArguments:"None",address:"You will go to",insecure:"This address is not encrypted: others on the network can read what you enter there.",unsafe:"The address of this question is not safe to open, so it is not offered. You can dismiss the question.",connect:"Connect",visit:"Open the page",dismiss:"Dismiss",decline:"Decline",submit:"Send answer",sending:"Sending…",opened:"Continue in the window that has opened. This card closes when it is done.",openedTab:"Continue in the tab that has opened. This card closes when it is done.",blocked:"Your browser kept the window from opening.",sameWindow:"Open it in this window instead",openAgain:"Open it again",confirming:"Done there. Waiting for the server to confirm…",unsupported:"This question cannot be shown here.",hosted:"Answer it on its own page",allow_once:"Allow once",narrow:"Limits for a permission that stays",limitsUnused:"You set limits for a permission that stays. Press “{always}” to use them, or take them back.",always_allow:"Always allow",deny:"Deny",expiresIn:"{time} left",expiresAt:"Open until {time}",secondsLeft:e=>`${Ru(Number(e.n))} left to answer ${e.service}.`,announce:"Question from {service}: {message}",connected:"Connected{place}.",notConnected:"Not connected: you dismissed it{place}.",visited:"Done{place}.",allowed_once:"You allowed it once{place}.",allowed_always:"You allowed it from now on{place}.",allowed_as:"You chose{place}: {chosen}.",denied:"You denied it{place}.",answered:"Answered{place}.",declined:"Declined{place}.",cancelled:"Cancelled{place}.",withdrawn:"No longer asked.",superseded:"A newer question has taken its place.",expired:"Expired. Nobody answered in time.",onPage:" on the hosted page",inSlack:" in Slack",elsewhere:" elsewhere",answerUnreachable:"The answer could not be sent. Check your connection and try again.",answerSignedOut:"You are not signed in, or no longer. Sign in and answer again.",answerForbidden:"This question is not yours to answer, or it does not exist any more.",answerSettled:"Answered elsewhere in the meantime.",answerFailed:"The server could not take the answer. Try again.",answerInvalid:"Please correct what is marked.",required:"required",choose:"Choose…",yes:"Yes",no:"No",emptyOption:"(empty)",noAnswer:"No answer",localTime:"Your local time, UTC{offset}",error:"Error:",hintLength:"{range} characters",hintChoices:"Choose {range}",from:"From {low} to {high}",atLeast:"At least {low}",atMost:"At most {high}",exactly:"Exactly {low}",errorRequired:"{label} is required.",errorNumber:"{label} must be a number.",errorInteger:"{label} must be a whole number.",errorDigits:"{label} has too many digits to be sent from here exactly.",errorMinimum:"{label} must be at least {n}.",errorMaximum:"{label} must be at most {n}.",errorMinLength:e=>`${e.label} must be at least ${mo(e)} long.`,errorMaxLength:e=>`${e.label} must be at most ${mo(e)} long.`,errorPattern:"{label} does not have the form that is asked for.",errorEmail:"{label} must be an email address such as name@example.com.",errorUri:"{label} must be a full address such as https://example.com/page.",errorDate:"{label} must be a date such as 2026-01-31.",errorDateTime:"{label} must be a date and time.",errorMinItems:e=>`${e.label} must have at least ${fo(e)}.`,errorMaxItems:e=>`${e.label} must have at most ${fo(e)}.`};function Mn(e){return(t,n={})=>{let r=e?.[t]??go[t];return typeof r=="function"?r(n):r.replace(/\{(\w+)\}/g,(i,s)=>s in n?String(n[s]):i)}}var Pn=be`
  :host {
    color-scheme: light dark;
    --_background: var(--parley-background, light-dark(#ffffff, #15171b));
    --_surface: var(--parley-surface, light-dark(#ffffff, #1e2127));
    --_sunken: var(--parley-sunken, light-dark(#f3f5f8, #272b33));
    --_bubble: var(--parley-bubble, light-dark(#e4edf9, #24374f));
    --_text: var(--parley-text, light-dark(#1a1d23, #eceef2));
    --_muted: var(--parley-muted, light-dark(#4b5261, #b3bac7));
    --_line: var(--parley-line, light-dark(#7f8796, #7d8594));
    --_hair: var(--parley-hair, light-dark(#dde1e8, #363b45));
    --_accent: var(--parley-accent, light-dark(#1d4f91, #9cc2f5));
    --_accent-text: var(--parley-accent-text, light-dark(#ffffff, #0e1826));
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
  :host([hidden]) {
    display: none;
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
  a {
    color: var(--_accent);
    text-underline-offset: 0.15em;
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
  @media (prefers-reduced-motion: reduce) {
    *,
    *::before,
    *::after {
      animation: none !important;
      transition: none !important;
      scroll-behavior: auto !important;
    }
  }
`,Rn=be`
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
    transition:
      background-color 0.12s,
      border-color 0.12s,
      filter 0.12s;
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
      font-size: max(1rem, 1em); /* below that, phones zoom in */
    }
  }
`;var Ou=new URL(".",import.meta.url).href,On=class extends ke{static styles=[Pn,Rn,Wi,Mi];static properties={base:{},agent:{},conversation:{},heading:{},theme:{reflect:!0},token:{attribute:!1},getToken:{attribute:!1},strings:{attribute:!1},suggestions:{converter:{fromAttribute:qu}}};#e;#t=new lt;#n;#r=new ln(()=>({base:this.#m(),token:this.token,getToken:this.getToken}),this.#t,(t,n)=>this.#c(t,n));#i="";#s=new Set;#o="";#h;#u=new In(this,()=>this.renderRoot.querySelector(".log"));get conversationId(){return this.#e?.id}send(t){t.trim()===""||!this.#e||(this.#e.send(t.trim()),this.#u.toEnd())}stop(){this.#e?.stop()}newConversation(){this.#p.forget(this.#n),this.#a({id:Et("conv"),account:this.#n},!0),this.#g?.focus()}focus(t){this.#g?.focus(t)}firstUpdated(){this.autofocus&&this.focus({preventScroll:!0})}connectedCallback(){super.connectedCallback(),window.addEventListener("online",this.#d),document.addEventListener("visibilitychange",this.#d),this.requestUpdate()}disconnectedCallback(){super.disconnectedCallback(),window.removeEventListener("online",this.#d),document.removeEventListener("visibilitychange",this.#d),this.#e?.close(),this.#e=void 0}#d=()=>{this.#e?.lost&&!document.hidden&&this.#e.resume()};shouldUpdate(){return this.isConnected}async scheduleUpdate(){return this.#e&&this.#z()&&await Fu(),super.scheduleUpdate()}willUpdate(t){!this.#e||t.has("base")||t.has("agent")||t.has("conversation")?this.#k():(t.has("token")||t.has("getToken"))&&this.#b(t),this.#y()}#b(t){let n=r=>(t.has(r)?t.get(r):this[r])!==void 0;this.#e?.identified(!n("token")&&!n("getToken"))}get#p(){return new zn(this.#m(),this.agent)}#k(){let t=this.conversation?{id:this.conversation}:this.#p.recall();this.#a(t??{id:Et("conv")},!t)}#c(t,n){if(this.conversation||!this.#e)return;let{id:r}=this.#e,i=this.#n!==void 0&&this.#n!==t;if(this.#n=t,!i)return this.#p.keep({id:r,account:t},!0);let s=n==="POST"?r:this.#p.of(t);this.#a({id:s??Et("conv"),account:t},s===void 0)}#a({id:t,account:n},r){this.#e?.close(),this.#n=n,this.conversation||this.#p.keep({id:t,account:n},!1),this.#e=new pn(t,this.#r,this.agent,()=>this.requestUpdate()),this.#s.clear(),r||this.#e.open(),this.dispatchEvent(new CustomEvent("parley-conversation",{bubbles:!0,composed:!0,detail:{id:t}})),this.requestUpdate()}#m(){return new URL(this.base??Ou,document.baseURI).href.replace(/\/+$/,"")}get#l(){return Mn(this.strings)}get#g(){return this.renderRoot.querySelector(".composer textarea")}#y(){let{questions:t,failure:n}=this.#e;for(let r of t){let{elicitationId:i,message:s}=r;this.#s.has(i)||(this.#s.add(i),this.#o=this.#l("announce",{service:sn(an(r)||this.#l("someone")),message:me(s)}),this.updateComplete.then(()=>this.#w(i)))}if(n&&n!==this.#h){let r={kind:n.kind,status:n.status,message:this.#L(n)};this.dispatchEvent(new CustomEvent("parley-error",{bubbles:!0,composed:!0,detail:r}))}this.#h=n}async#w(t){let n=this.#f(t);if(await n?.updateComplete,!n)return;this.#u.reveal(n),this.shadowRoot?.activeElement===this.#g&&this.#i===""&&!matchMedia("(pointer: coarse)").matches&&n.focus({preventScroll:!0})}#f(t){return[...this.renderRoot.querySelectorAll("parley-question")].find(n=>n.dataset.id===t)}#v(t){let n=t&&this.#f(t.elicitationId);if(!n)return this.#u.toEnd();this.#u.reveal(n),n.focus({preventScroll:!0})}render(){let{messages:t,loading:n}=this.#e,r=this.#l;return k`
      ${this.#$()}
      <div class="log" part="log" role="log" tabindex="0" aria-label=${r("log")} aria-busy=${this.#z()}>
        <div class="column" @click=${this.#T} @parley-answered=${this.#I} @parley-hint=${this.#x} @parley-refused=${this.#x}>
          ${t.length>0||n?$:this.#A()}
          ${en(t,i=>i.id,(i,s)=>this.#S(i,s===t.length-1))} ${this.#R()}
        </div>
      </div>
      <div class="foot" part="foot">${this.#O()} ${this.#q()} ${this.#F()}</div>
      <div class="hidden announcer" role="status">${this.#o}</div>
    `}#S(t,n){let r=this.#e,i=!r.busy&&!r.loading,s=n&&r.failure?.kind==="failed",o=n&&i&&!r.stopped&&(!r.failure||s)&&r.questions.length===0;return ho({message:t,say:this.#l,whole:!n||i,fresh:s,again:o?()=>this.#C():void 0,another:n&&!this.conversation?()=>this.newConversation():void 0,copy:(a,l)=>{this.#_(a,l)},question:this.#E})}#C(){this.#e?.retry(),this.#u.toEnd(),this.#g?.focus()}async#_(t,n){await es(t)&&(ts(n),this.#o=this.#l("copied"),this.requestUpdate())}#T=t=>{let n=t.composedPath().find(i=>i instanceof HTMLElement&&i.matches("button.copy")),r=n?.closest(".code")?.querySelector("code");n&&r&&this.#_(r.textContent??"",n)};#A(){let t=n=>k`<button type="button" dir="auto" @click=${()=>this.send(n)}>${K(n)}</button>`;return k`<div class="empty">
      <slot name="empty">${this.#l("empty")}</slot>
      ${this.suggestions?.length?k`<div class="suggestions">${this.suggestions.map(t)}</div>`:$}
    </div>`}#$(){let t=!this.conversation&&(this.heading||this.#e.messages.length>0);if(!this.heading&&!t)return $;let n=this.#l("newConversation");return k`<div class="head" part="head">
      ${this.heading?k`<h2 dir="auto">${this.heading}</h2>`:k`<span class="heading"></span>`}
      ${t?k`<button type="button" class="quiet round" title=${n} aria-label=${n} @click=${()=>this.newConversation()}>${O.plus}</button>`:$}
    </div>`}#E=t=>k`<parley-question data-id=${t.elicitationId} exportparts="card" aria-live="off" lang=${this.lang||$}
      .request=${t} .endpoint=${this.#m()+"/run/api/elicitation-responses"} .base=${this.#m()}
      .conversation=${this.#e.id} .token=${this.token} .getToken=${this.getToken}
      .strings=${this.strings} .clock=${this.#t} .theme=${this.theme}></parley-question>`;#I=t=>{let{elicitationId:n,action:r}=t.detail;this.#e.settle(n,{action:r,via:"chat"}),this.#x()};#x=()=>{let t=this.#e;!t.stopped&&(!t.busy||t.lost)&&t.resume()};#z(){let t=this.#e.messages.at(-1)?.parts.at(-1);return this.#e.busy&&t?.kind==="text"&&t.open}#R(){let{loading:t,busy:n,lost:r,stopped:i,questions:s}=this.#e,o=this.#l;return i&&this.#e.messages.at(-1)?.parts.at(-1)?.kind!=="mark"?k`<p class="quietly">${o("stopped")}
        <button type="button" class="link" @click=${()=>this.#e.resume()}>${o("resume")}</button></p>`:t||n&&!r&&s.length===0&&!this.#z()?k`<p class="thinking"><span class="dots"><i></i><i></i><i></i></span>${o(t?"loading":"thinking")}</p>`:$}#O(){let{questions:t}=this.#e,n=t.filter(r=>!this.#u.sees(this.#f(r.elicitationId)));if(n.length>0){let r=this.#l("waiting",{n:n.length});return k`<button type="button" class="jump asks" @click=${()=>this.#v(n[0])}>${r}</button>`}return this.#u.atEnd||t.length>0?$:k`<button type="button" class="jump" @click=${()=>this.#v(void 0)}>${O.down}${this.#l("latest")}</button>`}#q(){let t=this.#e,n=this.#l;return t.failure&&t.failure.kind!=="failed"?k`<div class="banner failure" role="alert">${O.warning}<span>${this.#L(t.failure)}</span>
        <button type="button" @click=${()=>t.failure?.again()}>${n("retry")}</button></div>`:t.lost?k`<div class="banner" role="status">${O.warning}<span>${n("lost")}</span>
      <button type="button" @click=${()=>t.resume()}>${n("tryNow")}</button></div>`:$}#L({kind:t,status:n,said:r}){return t==="unreachable"?this.#l("unreachable"):n===401?this.#l("signedOut"):r?xe(r):n===403?this.#l("forbidden"):this.#l(n===429?"tooMany":"failed")}#M(){let{busy:t,questions:n}=this.#e;return this.#i.trim()!==""&&(!t||n.length>0)}#F(){let t=this.#l,n=r=>{this.#i=r.target.value,this.requestUpdate()};return k`<form class="composer" part="composer" @submit=${this.#P}>
      <textarea rows=${Math.min(8,this.#i.split(`
`).length)} dir="auto" aria-label=${t("placeholder")} placeholder=${t("placeholder")} enterkeyhint="send"
        .value=${Ae(this.#i)} @input=${n} @keydown=${this.#D}></textarea>
      ${this.#e.busy?k`<button type="button" class="round" title=${t("stop")} aria-label=${t("stop")}
            @click=${()=>this.stop()}>${O.stop}</button>`:$}
      <button class="round primary" title=${t("send")} aria-label=${t("send")} aria-disabled=${!this.#M()}>${O.send}</button>
    </form>`}#D=t=>{t.key==="Enter"&&!t.shiftKey&&!t.isComposing&&this.#P(t)};#P=t=>{if(t.preventDefault(),!this.#M())return;let n=this.#i;this.#i="",this.send(n)};updated(){this.#u.follow()}};function qu(e){let t=Ee(e??"");return Array.isArray(t)?t.filter(n=>typeof n=="string"&&n.trim()!==""):[]}function Fu(){return Promise.race([new Promise(e=>requestAnimationFrame(e)),new Promise(e=>setTimeout(e,100))])}function bo(e){return Object.fromEntries(e.map(t=>[t.name,Du(t)]))}function Du(e){let t=e.default;switch(e.kind){case"boolean":return typeof t=="boolean"?t:e.required?void 0:!1;case"choices":return Array.isArray(t)?e.options.map(n=>n.value).filter(n=>t.includes(n)):[];case"choice":return e.options.find(n=>n.value===String(t))?.value;case"number":case"integer":return typeof t=="number"?String(t):""}return typeof t!="string"?"":e.format==="date-time"?Ku(t):t}function Yr(e,t,n){let r={content:Object.create(null),errors:Object.create(null)};for(let i of e){let{value:s,error:o}=Bu(i,t[i.name],n);o!==void 0?r.errors[i.name]=o:s!==void 0&&(r.content[i.name]=s)}return r}function qn(e){let t=e.replace(/\s+/g," ").replace(/[:* ]+$/,"");return/[?!.,;]$|^$/.test(t)?`“${t}”`:t}function Bu(e,t,n){let r={error:n("errorRequired",{label:qn(e.label)})};switch(e.kind){case"boolean":return t===void 0?e.required?r:{}:{value:t};case"choices":return Nu(e,t??[],n);case"choice":return t===void 0?e.required||e.default!==void 0?r:{}:{value:t}}let i=typeof t=="string"?t:"",s=e.kind==="string"&&e.format===void 0;return(s&&!e.required?i==="":i.trim()==="")?e.required?r:e.default===void 0?{}:e.kind==="string"?{value:""}:r:e.kind==="string"?Hu(e,s?i:i.trim(),n):Wu(e,i.trim(),n)}function Nu(e,t,n){let{minItems:r,maxItems:i}=e,s=qn(e.label);return t.length===0&&!e.required&&e.default===void 0?{}:r!==void 0&&t.length<r?{error:n("errorMinItems",{label:s,n:r})}:i!==void 0&&t.length>i?{error:n("errorMaxItems",{label:s,n:i})}:{value:t}}function Hu(e,t,n){let{minLength:r,maxLength:i}=e,s=qn(e.label),o=[...t].length;if(r!==void 0&&o<r)return{error:n("errorMinLength",{label:s,n:r})};if(i!==void 0&&o>i)return{error:n("errorMaxLength",{label:s,n:i})};if(e.pattern!==void 0&&!ju(e.pattern,t))return{error:n("errorPattern",{label:s})};switch(e.format){case"email":return/^[^\s@]+@[^\s@]*[^\s@.]$/.test(t)?{value:t}:{error:n("errorEmail",{label:s})};case"uri":return Uu(t)?{value:t}:{error:n("errorUri",{label:s})};case"date":return Vu(t)?{value:t}:{error:n("errorDate",{label:s})};case"date-time":{let a=Ju(t);return a?{value:a}:{error:n("errorDateTime",{label:s})}}}return{value:t}}function ju(e,t){try{return new RegExp(e,"u").test(t)}catch{return!0}}function Uu(e){return/^[a-z][a-z0-9+.-]*:[\w\-.~:/?#[\]@!$&'()*+,;=%]+$/i.test(e)&&URL.canParse(e)}function Vu(e){let t=new Date(`${e}T00:00:00Z`);return/^\d{4}-\d\d-\d\d$/.test(e)&&!Number.isNaN(t.valueOf())&&t.toISOString().startsWith(e)}function Wu(e,t,n){let{minimum:r,maximum:i}=e,s=qn(e.label),o=Qu(t);return o===void 0?{error:n(e.kind==="integer"?"errorInteger":"errorNumber",{label:s})}:e.kind==="integer"&&!Number.isInteger(o)?{error:n("errorInteger",{label:s})}:Yu(t)?r!==void 0&&o<r?{error:n("errorMinimum",{label:s,n:r})}:i!==void 0&&o>i?{error:n("errorMaximum",{label:s,n:i})}:{value:o}:{error:n("errorDigits",{label:s})}}function Qu(e){let t=e.replace(/^\u2212/,"-");if(!/^[-+]?(\d+\.?\d*|\.\d+)(e[-+]?\d+)?$/i.test(t))return;let n=Number(t);return Number.isFinite(n)?n:void 0}function Yu(e){return e.replace(/e.*$/i,"").replace(/\D/g,"").replace(/^0+/,"").replace(/0+$/,"").length<=15||Number.isSafeInteger(Number(e))&&/^[-+]?\d+$/.test(e)}function Ju(e){let t=/^(\d{4}-\d\d-\d\dT\d\d:\d\d)(:\d\d(?:\.\d+)?)?$/.exec(e),n=new Date(e);if(!(!t||Number.isNaN(n.valueOf())))return`${t[1]}${t[2]??":00"}${Jr(n)||"Z"}`}function Ku(e){let t=new Date(e);return Number.isNaN(t.valueOf())?"":new Date(t.valueOf()-t.getTimezoneOffset()*6e4).toISOString().slice(0,t.getUTCSeconds()||t.getUTCMilliseconds()?19:16)}function Jr(e){let t=-e.getTimezoneOffset();if(t===0)return"";let n=r=>String(Math.floor(r)).padStart(2,"0");return`${t<0?"-":"+"}${n(Math.abs(t)/60)}:${n(Math.abs(t)%60)}`}function Dn(e,t=[]){let n=W(e);if(!n)return;let r=new Set(he(n.required)),i=[],s=a=>t.includes(a)?t.indexOf(a):t.length,o=Object.entries(W(n.properties)??{}).sort(([a],[l])=>s(a)-s(l));for(let[a,l]of o){let c=W(l),u=c&&Gu(c);if(!c||!u)return;i.push(Zu(a,u,c,r.has(a)))}return i}function Gu(e){switch(e.type){case"string":case"number":case"integer":return Fn(e).length>0?"choice":e.type;case"boolean":return"boolean";case"array":return Fn(W(e.items)??{}).length>0?"choices":void 0}}function Zu(e,t,n,r){return{name:e,kind:t,required:r,label:me(_(n.title)||e),description:me(_(n.description)??"")||void 0,format:Xu(n.format),minLength:Dt(n.minLength),maxLength:Dt(n.maxLength),pattern:_(n.pattern),minimum:ko(n.minimum),maximum:ko(n.maximum),options:Fn(t==="choices"?W(n.items)??{}:n),minItems:Dt(n.minItems),maxItems:Dt(n.maxItems),default:n.default}}function Xu(e){return e==="email"||e==="uri"||e==="date"||e==="date-time"?e:void 0}function Dt(e){return typeof e=="number"?e:void 0}function ko(e){let t=Dt(e);return t!==void 0&&Math.abs(t)===Number.MAX_SAFE_INTEGER?void 0:t}function xo(e){return typeof e=="number"?String(e):_(e)}function Fn(e){let t=he(e.oneOf??e.anyOf);if(t.length>0)return t.flatMap(r=>{let i=xo(W(r)?.const);return i===void 0?[]:[{value:i,label:me(_(W(r)?.title)||i)}]});let n=he(e.enumNames);return he(e.enum).flatMap((r,i)=>{let s=xo(r);return s===void 0?[]:[{value:s,label:me(_(n[i])||s)}]})}function Kr(e){return e.kind==="boolean"&&e.required&&e.default===void 0}var wo=7;function Zr(e){let{field:t}=e;return t.kind==="boolean"&&!Kr(t)?oc(e):t.kind==="boolean"?yo(e,[{value:"true",label:e.say("yes")},{value:"false",label:e.say("no")}]):t.kind==="choices"?sc(e):t.kind==="choice"&&t.options.length<=wo?yo(e,t.options):k`<div class=${Bn(e)}>
    <label for=${e.id} dir="auto">${t.label}${Xr(e)}</label>
    ${Nn(e)} ${t.kind==="choice"?ic(e):tc(e)}
  </div>`}function vo(e){let{id:t,field:n}=e;return n.kind==="choices"||Kr(n)||n.kind==="choice"&&n.options.length<=wo?`${t}-0`:t}var Bn=e=>e.error===void 0?"field":"field wrong",Xr=e=>Bt(e.field)?k` <span class="required">${e.say("required")}</span>`:$;function Bt(e){return e.required&&(e.kind!=="choices"||(e.minItems??0)>0)}function Nn(e){let{id:t,field:n,error:r,say:i}=e,s=$o(n,i);return k`
    ${n.description?k`<p class="hint" id="${t}-about" dir="auto">${n.description}</p>`:$}
    ${s?k`<p class="hint" id="${t}-hint">${s}</p>`:$}
    ${r===void 0?$:k`<p class="error" id="${t}-error"><span class="hidden">${i("error")} </span>${r}</p>`}
  `}function mt(e){let t=[];return e.field.description&&t.push(`${e.id}-about`),$o(e.field,e.say)&&t.push(`${e.id}-hint`),e.error!==void 0&&t.push(`${e.id}-error`),t.length>0?t.join(" "):$}function $o(e,t){switch(e.kind){case"number":case"integer":return Gr(e.minimum,e.maximum,t);case"choices":{let n=Gr(e.minItems||void 0,e.maxItems,t);return n&&t("hintChoices",{range:ec(n)})}case"string":{if(e.format==="date-time")return t("localTime",{offset:Jr(new Date)});let n=Gr(e.minLength!==void 0&&e.minLength>1?e.minLength:void 0,e.maxLength,t);return n&&t("hintLength",{range:n})}}return""}function Gr(e,t,n){return e!==void 0&&e===t?n("exactly",{low:e}):e!==void 0&&t!==void 0?n("from",{low:e,high:t}):e!==void 0?n("atLeast",{low:e}):t===void 0?"":n("atMost",{high:t})}var ec=e=>e.charAt(0).toLowerCase()+e.slice(1);function tc(e){let{id:t,field:n,entry:r,enter:i}=e,s=typeof r=="string"?r:"",o=c=>i(c.target.value);if(n.kind==="string"&&n.format===void 0&&rc(n))return k`<textarea id=${t} rows="4" dir="auto" .value=${Ae(s)} @input=${o}
      aria-describedby=${mt(e)} aria-required=${Bt(n)} aria-invalid=${e.error!==void 0}></textarea>`;let{type:a,mode:l}=nc(n);return k`<input id=${t} type=${a} inputmode=${l??$} autocomplete="off" dir="auto"
    spellcheck=${l?"false":$} autocapitalize=${l?"off":$} step=${a==="datetime-local"?"any":$}
    .value=${Ae(s)} @input=${o}
    aria-describedby=${mt(e)} aria-required=${Bt(n)} aria-invalid=${e.error!==void 0} />`}function nc(e){if(e.kind==="integer")return{type:"text",mode:(e.minimum??-1)<0?"text":"numeric"};if(e.kind==="number")return{type:"text",mode:(e.minimum??-1)<0?"text":"decimal"};switch(e.format){case"date":return{type:"date"};case"date-time":return{type:"datetime-local"};case"email":return{type:"text",mode:"email"};case"uri":return{type:"text",mode:"url"}}return{type:"text"}}function rc(e){let t=typeof e.default=="string"?e.default:"";return(e.maxLength??0)>200||(e.minLength??0)>100||t.length>200||t.includes(`
`)}function ic(e){let{id:t,field:n,entry:r,say:i,enter:s}=e;return k`<select id=${t} @change=${a=>{let l=a.target.selectedIndex-1;s(n.options[l]?.value)}} aria-describedby=${mt(e)}
    aria-required=${Bt(n)} aria-invalid=${e.error!==void 0}>
    <option value="" .selected=${r===void 0}>${i("choose")}</option>
    ${n.options.map(a=>k`<option .selected=${a.value===r}>${ei(a,i)}</option>`)}
  </select>`}var ei=(e,t)=>e.label.trim()===""?t("emptyOption"):e.label;function yo(e,t){let{id:n,field:r,entry:i,say:s,enter:o}=e,a=c=>r.kind==="boolean"?c==="true":c,l=!r.required&&r.default===void 0;return k`<div class=${Bn(e)} role="radiogroup" aria-labelledby="${n}-label" aria-required=${Bt(r)}
    aria-invalid=${e.error!==void 0} aria-describedby=${mt(e)}>
    <div class="legend" id="${n}-label" dir="auto">${r.label}${Xr(e)}</div>
    ${Nn(e)}
    ${t.map((c,u)=>k`<label class="option">
        <input type="radio" id="${n}-${u}" name=${n} .checked=${Ae(i===a(c.value))} @change=${()=>o(a(c.value))} />
        <span dir="auto">${ei(c,s)}</span>
      </label>`)}
    ${l?k`<label class="option">
          <input type="radio" name=${n} .checked=${Ae(i===void 0)} @change=${()=>o(void 0)} />
          <span>${s("noAnswer")}</span>
        </label>`:$}
  </div>`}function sc(e){let{id:t,field:n,say:r,enter:i}=e,s=Array.isArray(e.entry)?e.entry:[],o=(a,l)=>i(n.options.map(c=>c.value).filter(c=>c===a?l:s.includes(c)));return k`<div class=${Bn(e)} role="group" aria-labelledby="${t}-label" aria-describedby=${mt(e)}>
    <div class="legend" id="${t}-label" dir="auto">${n.label}${Xr(e)}</div>
    ${Nn(e)}
    ${n.options.map((a,l)=>k`<label class="option">
        <input type="checkbox" id="${t}-${l}" .checked=${Ae(s.includes(a.value))} aria-invalid=${e.error!==void 0}
          @change=${c=>o(a.value,c.target.checked)} />
        <span dir="auto">${ei(a,r)}</span>
      </label>`)}
  </div>`}function oc(e){let{id:t,field:n,entry:r,enter:i}=e;return k`<div class=${Bn(e)}>
    <label class="option">
      <input type="checkbox" id=${t} .checked=${Ae(r===!0)} aria-describedby=${mt(e)} aria-invalid=${e.error!==void 0}
        @change=${s=>i(s.target.checked)} />
      <span class="strong" dir="auto">${n.label}</span>
    </label>
    ${Nn(e)}
  </div>`}function _o(e,t){let{question:n,service:r,say:i}=e;return k`<div class="card open" part="card" role="group" aria-labelledby="title">
    <header>
      <span class="badge">${e.kind==="unsupported"?O.form:O[e.kind]}</span>
      <div class="title isolate" id="title" tabindex="-1" role="heading" aria-level="2" dir=${To(e)}>${ti(e)}</div>
      ${t}
    </header>
    <div class="body">
      ${n.message.trim()===""?$:k`<div class="message">
            ${Hn(n)?$:k`<span class="from isolate" dir=${ir(i("says",{service:""}))}>${i("says",{service:r})}</span>`}
            ${ac(n)}
          </div>`}
      ${lc(e)}
      ${n.context.account?k`<p class="account">${i("account")} <bdi>${K(n.context.account)}</bdi></p>`:$}
    </div>
  </div>`}var Hn=({context:e})=>e.trigger==="tool_approval"&&e.server!==void 0;function ac(e){let{message:t,context:n}=e;if(n.trigger!=="tool_approval")return k`<div class="words" dir="auto">${me(t)}</div>`;let r=Ft(xe(Fi(t)));return Hn(e)?k`<div class="words exact whole" dir="ltr" tabindex="0" role="region" aria-labelledby="title">${r}</div>`:k`<div class="words exact" dir="ltr">${r}</div>`}var To=e=>ir(ti({...e,service:""}));function ti(e){let{kind:t,question:n,service:r,say:i}=e;return t==="connect"?i(n.context.trigger==="credential_required"?"connectTitle":"visitTitle",{service:r}):i(n.context.trigger==="tool_approval"?"approvalTitle":"formTitle",{service:r})}function Ao(e,t){let n={good:O.done,bad:O.no,neutral:O.clock}[t.tone];return k`<div class="card settled" part="card" role="group" aria-labelledby="title">
    <header>
      <span class="badge ${t.tone}">${n}</span>
      <div class="title">
        <span class="isolate" id="title" dir=${To(e)}>${ti(e)}</span>
        <span class="sentence" id="outcome" tabindex="-1">${t.sentence}</span>
      </div>
    </header>
  </div>`}var et=e=>e===void 0?$:k`<p class="problem">${O.warning}<span>${e}</span></p>`;function lc(e){switch(e.kind){case"connect":return uc(e);case"approval":return k`${Hn(e.question)?$:So(e)} ${dc(e)}`;case"form":return k`${e.question.context.trigger==="tool_approval"&&!Hn(e.question)?So(e):$} ${mc(e)}`;case"unsupported":return k`<p>${e.say("unsupported")} <a href=${e.hosted} target="_blank" rel="noopener">${e.say("hosted")}</a></p>
        ${et(e.problem)}
        <div class="buttons">${jn(e,"decline")}</div>`}}function uc(e){let{address:t,say:n}=e;if(!t)return k`${et(n("unsafe"))} ${et(e.problem)}
      <div class="buttons">${jn(e,"dismiss")}</div>`;let r=n(e.question.context.trigger==="credential_required"?"connect":"visit");return k`
    <dl>
      <div>
        <dt>${n("address")}</dt>
        <dd><code class="address">${t.before}<strong>${t.trust}</strong>${t.after}</code></dd>
      </div>
    </dl>
    ${t.insecure?k`<p class="warn">${O.warning}<span>${n("insecure")}</span></p>`:$} ${cc(e,t)} ${et(e.problem)}
    <div class="buttons">
      ${t.foreign?k`<a class="button primary" id="go" href=${t.href} target="_blank" rel="noopener noreferrer"
            @click=${e.open}>${r}</a>`:k`<button type="button" class="primary" id="go" @click=${e.open}>
            ${e.phase==="opened"?n("openAgain"):r}
          </button>`}
      ${jn(e,"dismiss")}
    </div>
  `}function cc(e,t){let{say:n,phase:r}=e,i=k`<a href=${t.href}>${n("sameWindow")}</a>`;switch(r){case"opened":return k`<p class="status">
        ${O.clock}<span>${n(t.foreign?"openedTab":"opened")} ${t.foreign?$:i}</span>
      </p>`;case"blocked":return et(k`${n("blocked")} ${i}`);case"confirming":return k`<p class="status">${O.clock}<span>${n("confirming")}</span></p>`}return $}function So(e){let{context:t}=e.question,{say:n}=e,r=on(t.arguments??""),i=r.split(`
`).length;return k`<dl>
    ${t.tool===void 0?$:k`<div>
          <dt>${n("toolLabel")}</dt>
          <dd><code><bdi>${K(t.tool)}</bdi></code></dd>
        </div>`}
    <div>
      <dt id="arguments">${i>8?n("argumentLines",{n:i}):n("arguments")}</dt>
      <dd>
        ${r===""?n("noArguments"):k`<pre class="arguments" tabindex="0" role="region" aria-labelledby="arguments">${Ft(r)}</pre>`}
      </dd>
    </div>
  </dl>`}function dc(e){let{say:t}=e;return k`${et(e.problem)}<div class="buttons">
    ${e.fields[0].options.map(({value:n,label:r})=>k`<button type="button" class=${n==="allow_once"?"primary":""} data-decision=${n}
        aria-disabled=${e.phase==="sending"} @click=${()=>e.decide(n)}>
        ${r===n&&pc(n)?t(n):K(r)}
      </button>`)}
  </div>
  ${hc(e)}`}function hc(e){let{fields:t,entries:n,errors:r,say:i}=e;return t.length<2?$:k`<details class="narrow">
    <summary>${i("narrow")}</summary>
    <div class="form">
      ${t.slice(1).map((s,o)=>Zr({id:`field-${o+1}`,field:s,entry:n[s.name],error:r[s.name],say:i,enter:a=>e.enter(s.name,a)}))}
    </div>
  </details>`}function pc(e){return e==="allow_once"||e==="always_allow"||e==="deny"}function mc(e){let{fields:t,entries:n,errors:r,say:i}=e;return k`<form class="form" novalidate @submit=${e.submit}>
    ${t.map((s,o)=>Zr({id:`field-${o}`,field:s,entry:n[s.name],error:r[s.name],say:i,enter:a=>e.enter(s.name,a)}))}
    ${et(e.problem)}
    <div class="buttons">
      <button class="primary" aria-disabled=${e.phase==="sending"}>${i(e.phase==="sending"?"sending":"submit")}</button>
      ${jn(e,"decline")}
    </div>
  </form>`}function jn(e,t){return k`<button type="button" class="quiet" id="decline" aria-disabled=${e.phase==="sending"} @click=${e.decline}>
    ${e.say(t)}
  </button>`}var Un=class{constructor(t,n,r){this.host=t;this.say=n;this.over=r;t.addController(this)}host;say;over;left;#e=Number.NaN;#t;#n;#r=!1;start(t,n){this.#e=Date.parse(t??""),this.#t=n;let r=this.#e-n.now();this.left=r>0?r:void 0,this.#i()}stop(){this.left=void 0,this.#i()}hostConnected(){this.#r=!0,this.#i()}hostDisconnected(){this.#r=!1,this.#i()}#i(){clearInterval(this.#n),this.#r&&this.left!==void 0&&(this.#n=setInterval(()=>this.#s(),1e3))}#s(){let t=this.left??0;this.left=Math.max(0,this.#e-this.#t.now());let n=Ji(t,this.left);n!==void 0&&this.say(n),this.left===0&&(this.stop(),this.over()),this.host.requestUpdate()}};function Co(e,t,n,r){let i=gc(t,n,r),s=e.context.trigger==="credential_required";switch(t.action){case"accept":return n.answered&&n.decision!==void 0?Eo(n.decision,n.chosen,"",r):t.decision!==void 0?Eo(t.decision,fc(e,t),i,r):s?{tone:"good",sentence:r("connected",{place:i})}:{tone:"good",sentence:r(e.mode==="url"?"visited":"answered",{place:i})};case"decline":return{tone:"bad",sentence:r(s?"notConnected":"declined",{place:i})};case"expire":return{tone:"neutral",sentence:r("expired")}}return t.by?{tone:"neutral",sentence:r("cancelled",{place:i})}:{tone:"neutral",sentence:r(t.reason==="superseded"?"superseded":"withdrawn")}}function fc(e,{decision:t,limits:n}){return ni(Dn(e.requestedSchema)??[],{...n,decision:t})}function ni(e,t){return e.flatMap(({name:r,options:i})=>i.find(s=>s.value===t[r]&&s.label!==s.value)?.label??[]).map(K).join(" · ")}function Eo(e,t,n,r){switch(e){case"allow_once":return{tone:"good",sentence:r("allowed_once",{place:n})};case"always_allow":return{tone:"good",sentence:t?r("allowed_as",{chosen:t,place:n}):r("allowed_always",{place:n})};case"deny":return{tone:"bad",sentence:r("denied",{place:n})}}return{tone:"good",sentence:r("answered",{place:n})}}function gc(e,t,n){if(t.answered)return"";switch(e.via){case"page":return n("onPage");case"slack":return n("inSlack");case void 0:case"chat":return t.watched?n("elsewhere"):""}return n("elsewhere")}function Io(e){let t=Math.min(560,screen.availWidth),n=Math.min(760,screen.availHeight),r=Math.round(window.screenX+(window.outerWidth-t)/2),i=Math.round(window.screenY+(window.outerHeight-n)/2),s=window.open(e,"parley-connect",`popup,width=${t},height=${n},left=${r},top=${i}`);return!s||s.closed?!1:(s.focus(),!0)}var zo=be`
  :host {
    display: block;
    container-type: inline-size;
  }
  .card {
    border: 1px solid var(--_hair);
    border-radius: var(--_radius);
    background: var(--_surface);
    box-shadow: 0 1px 2px light-dark(rgb(20 30 50 / 6%), transparent), 0 6px 20px light-dark(rgb(20 30 50 / 7%), transparent);
    overflow: clip;
  }
  .card.open {
    border-color: color-mix(in srgb, var(--_accent) 45%, var(--_hair));
    animation: arrive 0.22s ease-out;
  }
  @keyframes arrive {
    from {
      opacity: 0;
      transform: translateY(6px);
    }
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
  .arguments,
  .words.whole {
    max-block-size: 15rem;
    padding: 0.7rem 0.9rem;
    border: 1px solid var(--_hair);
    border-radius: var(--_radius-small);
    /* A shadow at an edge says that there is more beyond it. */
    --_shade: light-dark(rgb(20 30 50 / 22%), rgb(0 0 0 / 60%));
    background:
      linear-gradient(var(--_sunken) 40%, transparent) top / 100% 2.5rem no-repeat local,
      linear-gradient(transparent, var(--_sunken) 60%) bottom / 100% 2.5rem no-repeat local,
      linear-gradient(var(--_shade), transparent) top / 100% 0.75rem no-repeat scroll,
      linear-gradient(transparent, var(--_shade)) bottom / 100% 0.75rem no-repeat scroll,
      var(--_sunken);
    direction: ltr;
    text-align: left;
    white-space: pre-wrap;
    overflow: auto;
    tab-size: 2;
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
  .account {
    color: var(--_muted);
    font-size: 0.8125rem;
  }
  .account bdi {
    color: var(--_text);
    font-weight: 600;
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
  .settled .sentence:focus-visible {
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
    .arguments,
    .words.whole {
      max-block-size: 12rem;
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
`;var bc=6e4,Vn=class extends ke{static styles=[Pn,Rn,zo];static properties={request:{attribute:!1},endpoint:{},base:{},conversation:{},token:{attribute:!1},getToken:{attribute:!1},strings:{attribute:!1},theme:{reflect:!0},clock:{attribute:!1}};#e;#t;#n={};#r=Object.create(null);#i;#s="ready";#o;#h={answered:!1,watched:!1};#u="";#d;#b=new Un(this,t=>this.#u=this.#a("secondsLeft",{n:t,service:this.#m()}),()=>this.#c({action:"expire"}));constructor(){super(),this.clock=new lt}get pending(){return this.#e!==void 0&&!this.#e.outcome&&!this.#o}focus(t){this.renderRoot.querySelector("#outcome, #title")?.focus(t)}refuse(t,n=[]){this.#E("ready"),this.#i=[t,...this.#A(n)].join(" "),this.requestUpdate()}connectedCallback(){super.connectedCallback(),window.addEventListener("message",this.#S)}disconnectedCallback(){super.disconnectedCallback(),window.removeEventListener("message",this.#S)}willUpdate(t){t.has("request")&&this.#p(Tt(this.request))}#p(t){let n=t?.elicitationId!==this.#e?.elicitationId;this.#e=t,n&&(this.#t=t?.mode==="form"?Dn(t.requestedSchema,t.fieldOrder):void 0,this.#n=bo(this.#t??[]),this.#r=Object.create(null),this.#i=this.#o=void 0,this.#s="ready",this.#h={answered:!1,watched:!1},this.#b.start(t?.expiresAt,this.clock)),this.pending?this.#h.watched=!0:this.#k()}#k(){this.#b.stop(),this.shadowRoot?.activeElement&&(this.#d="outcome")}#c(t){this.#o=t,this.#k(),this.requestUpdate()}get#a(){return Mn(this.strings)}#m(){return sn(an(this.#e)||this.#a("someone"))}#l(){return new URL(this.base||this.endpoint||location.origin,document.baseURI).href}#g(){let t=this.#e;if(t.mode==="url")return"connect";if(!this.#t)return"unsupported";let[n,...r]=this.#t;return t.context.trigger==="tool_approval"&&n?.name==="decision"&&n.kind==="choice"&&!r.some(s=>s.required||s.kind!=="choice")?"approval":"form"}render(){if(!this.#e)return $;let t=this.#w(this.#e),n=this.#y();return k`${n?Ao(t,n):_o(t,this.#f())}
      <div class="hidden" role="status">${n&&this.#h.watched?n.sentence:this.#u}</div>
      <div class="hidden" role="alert">${n?$:this.#i}</div>`}#y(){let t=this.#e.outcome??this.#o;return t==="elsewhere"?{tone:"neutral",sentence:this.#a("answerSettled")}:t&&Co(this.#e,t,this.#h,this.#a)}#w(t){let n=this.#l();return{kind:this.#g(),question:t,service:this.#m(),phase:this.#s,problem:this.#i,address:t.mode==="url"?ur(t.url,n,t.context.domain):void 0,hosted:new URL(`answer/${encodeURIComponent(t.elicitationId)}`,new URL("/",n)).href,fields:this.#t??[],entries:this.#n,errors:this.#r,say:this.#a,open:this.#v,submit:this.#C,decline:()=>{this.#$("decline")},decide:r=>this.#_(r),enter:(r,i)=>{this.#n={...this.#n,[r]:i},delete this.#r[r],this.requestUpdate()}}}#f(){let{left:t}=this.#b;if(t===void 0)return $;let n=new Date(this.#e?.expiresAt??"").toLocaleString(this.lang||void 0);return k`<span class="timer ${t<=bc?"soon":""}" role="timer" aria-live="off"
      title=${this.#a("expiresAt",{time:n})}>${O.clock}${this.#a("expiresIn",{time:Yi(t)})}</span>`}#v=t=>{let{url:n,context:r}=this.#e,i=ur(n,this.#l());if(!i)return t.preventDefault();this.#i=void 0,this.#s=i.foreign||Io(i.href)?"opened":"blocked",this.requestUpdate(),i.foreign&&r.trigger==="mcp_elicitation"&&r.settledBy!=="page"&&this.#$("accept")};#S=t=>{let n=t.data;!this.pending||n?.type!=="parley:settled"||n.elicitationId!==this.#e?.elicitationId||t.origin===new URL(this.#l()).origin&&(this.#s="confirming",this.requestUpdate(),this.#x("parley-hint",{elicitationId:n.elicitationId}))};#C=t=>{t.preventDefault();let{content:n,errors:r}=Yr(this.#t??[],this.#n,this.#a);this.#r=r,Object.keys(r).length>0?this.#T():this.#$("accept",n)};#_(t){let[n,...r]=this.#t??[],{content:i}=Yr(r,this.#n,this.#a),s=t==="always_allow";if(t==="allow_once"&&Object.keys(i).length>0){let a=n?.options.find(l=>l.value==="always_allow")?.label??this.#a("always_allow");return this.#i=this.#a("limitsUnused",{always:K(a)}),this.requestUpdate()}let o={...s&&i,decision:t};this.#$("accept",o,ni(this.#t??[],o))}#T(){this.#i=this.#a("answerInvalid");let t=this.#t?.findIndex(n=>n.name in this.#r)??-1;t>=0&&(this.#d=vo({id:`field-${t}`,field:this.#t[t]})),this.requestUpdate()}#A(t){let n=[];for(let{field:r,message:i}of t)this.#t?.some(s=>s.name===r)?this.#r[r]=i:n.push(i);return n}async#$(t,n,r){if(this.#s==="sending"||!this.pending)return;let{elicitationId:i}=this.#e,s={elicitationId:i,action:t,...n&&{content:n}},o=this.#s;if(this.#s="sending",this.#i=void 0,this.#h={answered:!0,watched:!0,decision:this.#g()==="approval"?String(n?.decision):void 0,chosen:r},this.requestUpdate(),!this.#x("parley-answer",s)||!this.endpoint)return;let a=()=>this.#e?.elicitationId===i;try{await ji(this.endpoint,{base:"",token:this.token,getToken:this.getToken},this.conversation??"",s)}catch(l){a()&&this.#I(l,o);return}a()&&this.#c({action:t}),this.#x("parley-answered",s)}#E(t){this.#s=t,this.#h={answered:!1,watched:!0}}#I(t,n){this.#E(n);let r=t instanceof ce?t.status:0;if(t instanceof ce&&r===400){let i=this.#A(t.fields);this.#T(),(i.length>0||t.fields.length===0)&&(this.#i=i.join(" ")||t.said||this.#a("answerFailed"))}else r===409?this.#c("elsewhere"):r===410?this.#c({action:"expire"}):r===401?this.#i=this.#a("answerSignedOut"):r===403||r===404?this.#i=this.#a("answerForbidden"):this.#i=this.#a(r===0?"answerUnreachable":"answerFailed");this.requestUpdate(),this.#x("parley-refused",{elicitationId:this.#e.elicitationId,status:r})}#x(t,n){return this.dispatchEvent(new CustomEvent(t,{bubbles:!0,composed:!0,cancelable:t==="parley-answer",detail:n}))}updated(){let t=this.#d;this.#d=void 0,t&&this.renderRoot.querySelector(`#${t}`)?.focus()}};customElements.get("parley-question")||customElements.define("parley-question",Vn);customElements.get("parley-chat")||customElements.define("parley-chat",On);export{On as ParleyChat,Vn as ParleyQuestion,go as english};
/*! @license micromark, mdast-util-from-markdown and their extensions: Copyright (c) Titus Wormer. SPDX-License-Identifier: MIT */
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

lit-html/directives/guard.js:
  (**
   * @license
   * Copyright 2018 Google LLC
   * SPDX-License-Identifier: BSD-3-Clause
   *)
*/
